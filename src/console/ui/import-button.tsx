import { request } from "../client/api.ts";
import { useAttempt } from "../client/attempt.ts";
import { toast } from "../client/notices.ts";
import { queryClient } from "../client/queries.ts";
import { FileButton } from "./file-button.tsx";

interface ImportButtonProps<Result> {
  label: string;
  accept: string;
  /** Where the file goes, as it is. */
  pathOf(file: File): string;
  type: string;
  failed: string;
  done?: string | ((result: Result) => string);
}

/** A file goes to the API as it is; what becomes of it arrives through the live channel. */
export function ImportButton<Result>(props: ImportButtonProps<Result>) {
  const { label, accept, pathOf, type, failed, done } = props;
  const { isBusy, attempt } = useAttempt();
  const send = async (file: File) => {
    const response = await request({
      method: "POST",
      path: pathOf(file),
      headers: { "Content-Type": type },
      body: file,
    });
    if (done) toast(typeof done === "string" ? done : done(await response.json()));
    await queryClient.invalidateQueries();
  };
  const choose = (file: File) => void attempt(failed, () => send(file));
  return <FileButton label={label} accept={accept} isBusy={isBusy} onChoose={choose} />;
}
