import { navigate, withQuery } from "../../lib/router.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { stepFrom, VIEWS, type View } from "./days.ts";
import { type Event, hueOf } from "./event.ts";
import { hiddenTags, showsCancelled, showsTasks, toggleCancelled, toggleTag, toggleTasks } from "./options.ts";

export function pathOf(view: View, day: string): string {
  return `/app/calendar/${view}/${day}`;
}

interface ToolbarProps {
  view: View;
  day: string;
  focusDay: string;
  today: string;
  onNew(): void;
}

export function Toolbar({ view, day, focusDay, today, onNew }: ToolbarProps) {
  const open = (name: string) => () => navigate(withQuery({ [name]: "1" }));
  return (
    <>
      <div class="cal-steps line gap-2">
        <a class="button" href={pathOf(view, today)}>
          {m.today}
        </a>
        <IconButton
          icon="left"
          label={m.previous[view]}
          keys=","
          onClick={() => navigate(pathOf(view, stepFrom(view, day, -1)))}
        />
        <IconButton
          icon="right"
          label={m.next[view]}
          keys="."
          onClick={() => navigate(pathOf(view, stepFrom(view, day, 1)))}
        />
      </div>
      <nav class="cal-views" aria-label={m.viewGroup}>
        {VIEWS.map((each) => (
          <a key={each} href={pathOf(each, focusDay)} aria-current={each === view ? "true" : undefined}>
            {m.views[each]}
          </a>
        ))}
      </nav>
      <Button class="cal-find" icon="clock" onClick={open("find")}>
        {m.findTime}
      </Button>
      <Button tone="primary" icon="plus" class="cal-new" onClick={onNew}>
        {m.newEvent}
      </Button>
      <Menu label={m.options}>
        <MenuItem icon="clock" onChoose={open("find")} label={m.findTime} />
        <MenuItem icon="link" onChoose={open("phone")} label={m.phone} />
        <MenuItem icon="download" onChoose={() => navigate("/app/settings/calendars")} label={m.importFile} />
        <MenuItem icon="calendar" onChoose={open("zone")} label={m.secondZone} />
        <MenuItem
          icon={showsTasks.value ? "check" : "tasks"}
          onChoose={toggleTasks}
          label={showsTasks.value ? m.hideTasks : m.showTasks}
        />
        <MenuItem
          icon={showsCancelled.value ? "check" : "close"}
          onChoose={toggleCancelled}
          label={showsCancelled.value ? m.hideCancelled : m.showCancelled}
        />
      </Menu>
    </>
  );
}

/** The tags in view with their colours: each can be hidden. */
export function Legend({ events }: { events: readonly Event[] }) {
  const tags = [...new Set(events.map(({ tags: [tag] }) => tag ?? ""))].sort();
  const all = [...new Set([...tags, ...hiddenTags.value])];
  if (all.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div class="cal-legend wrap gap-4" role="group" aria-label={m.tagFilter}>
      {all.map((tag) => (
        <button
          key={tag}
          type="button"
          class="cal-tag hovers line inline gap-6 bare"
          aria-pressed={!hiddenTags.value.has(tag)}
          onClick={() => toggleTag(tag)}
        >
          <span class="cal-dot" data-colour style={hueOf({ tags: tag ? [tag] : [] })} />
          {tag || m.untagged}
        </button>
      ))}
    </div>
  );
}
