interface FileButtonProps {
  label: string;
  accept: string;
  isBusy?: boolean;
  onChoose(file: File): void;
}

/** A button that lets the person choose a file. */
export function FileButton({ label, accept, isBusy = false, onChoose }: FileButtonProps) {
  return (
    <label class="button" aria-disabled={isBusy}>
      {isBusy && <span class="spinner" aria-hidden="true" />}
      {label}
      <input
        type="file"
        class="visually-hidden"
        accept={accept}
        disabled={isBusy}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = "";
          if (file) onChoose(file);
        }}
      />
    </label>
  );
}
