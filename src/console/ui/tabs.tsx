interface Tab {
  href: string;
  text: string;
  count?: number;
  isCurrent: boolean;
}

/** Links to the pages of one screen. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul class="line gap-4">
        {tabs.map(({ href, text, count = 0, isCurrent }) => (
          <li key={href}>
            <a class="line inline gap-6" href={href} aria-current={isCurrent ? "page" : undefined}>
              {text}
              {count > 0 && <span class="tab-count">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
