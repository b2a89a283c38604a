interface MeterProps {
  label: string;
  /** What is used of how much, in words. */
  text: string;
  /** From 0 to 1; null: there is no limit to compare with. */
  share: number | null;
}

/** How much of something is used. */
export function Meter({ label, text, share }: MeterProps) {
  const percent = share === null ? null : Math.round(Math.min(1, Math.max(0, share)) * 100);
  const tone = share === null || share < 0.8 ? "" : share < 1 ? "warn" : "danger";
  return (
    <div class="meter">
      <p class="line gap-12 between">
        <span class="setting-name">{label}</span> <span class="muted">{text}</span>
      </p>
      {percent !== null && (
        // biome-ignore lint/a11y/useSemanticElements: a meter cannot be styled alike in all browsers.
        <div
          class={`meter-bar ${tone}`}
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          aria-valuetext={text}
        >
          <span style={{ width: `${percent}%` }} />
        </div>
      )}
    </div>
  );
}

/** How far a job is; without a total, that it runs. */
export function Progress({ label, done, total }: { label: string; done: number; total: number | null }) {
  return <progress class="progress" aria-label={label} {...(total ? { value: done, max: total } : {})} />;
}
