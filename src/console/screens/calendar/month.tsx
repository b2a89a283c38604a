import { navigate } from "../../lib/router.ts";
import { writeDay } from "../../lib/time.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { AgendaDay } from "./agenda.tsx";
import { fullDay, headDay } from "./day-text.ts";
import { isWeekend, weekNumber } from "./days.ts";
import { isTarget } from "./drag.ts";
import { hueOf } from "./event.ts";
import { EventLink } from "./event-link.tsx";
import { byRank, keyOfItem, type LaneItem, laneItems } from "./lane.tsx";
import { fitLanes, inLanes, type Laned, touches } from "./layout.ts";
import { TaskChip } from "./task-chip.tsx";
import { pathOf } from "./toolbar.tsx";
import { useIsNarrow, useSize } from "./use-size.ts";
import { isOver, type ViewProps } from "./view-props.ts";

/** Heights of the date and of one line, as in `calendar.css`. */
const DATE = 30;
const LINE = 26;

/** Whole weeks. A phone has dots instead of lines, and the chosen day below. */
export function Month(props: ViewProps & { month: string; heading: string }) {
  const { habits, days, focusDay, placed, tasks, control, heading } = props;
  const isNarrow = useIsNarrow();
  const [grid, { height }] = useSize<HTMLDivElement>();
  const weeks = Array.from({ length: days.length / 7 }, (_, index) => days.slice(index * 7, index * 7 + 7));
  const lanes = isNarrow ? 0 : Math.max(1, Math.floor(((height || 640) / weeks.length - DATE) / LINE));
  return (
    <>
      <div class="cal-month column card flush">
        <div class="cal-month-head hint" aria-hidden="true">
          {weeks[0]?.map((day) => (
            <span key={day}>{headDay(habits, day).weekday}</span>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: bars reach over several cells, which a table cannot. */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a cell does the same, see `calendar-keys.ts`. */}
        <div
          class="cal-weeks"
          role="grid"
          aria-label={heading}
          ref={grid}
          onPointerDown={control.onPointerDown}
          onDblClick={control.onDblClick}
          onClick={openDate}
        >
          {weeks.map((week) => (
            <WeekRow key={week[0]} {...props} week={week} lanes={lanes} />
          ))}
        </div>
      </div>
      {isNarrow && (
        <AgendaDay
          {...props}
          day={focusDay}
          placed={placed.filter((each) => touches(each, focusDay))}
          tasks={tasks.filter(({ day }) => day === focusDay)}
        />
      )}
    </>
  );
}

/** A click on the number of a day opens the day. On a phone, where the day is shown below, it only chooses it. */
function openDate({ target }: MouseEvent): void {
  if (!(target instanceof Element) || !target.closest(".cal-date")) return;
  const day = target.closest<HTMLElement>("[data-day]")?.dataset.day;
  if (day) navigate(pathOf("day", day));
}

interface WeekRowProps extends ViewProps {
  week: readonly string[];
  month: string;
  lanes: number;
}

function WeekRow({ week, lanes, ...props }: WeekRowProps) {
  const { placed, tasks } = props;
  const [first = "", last = ""] = [week[0], week.at(-1)];
  const items = laneItems(
    placed.filter((each) => each.first <= last && each.last >= first),
    tasks.filter(({ day }) => day >= first && day <= last),
  );
  const laned = inLanes(items, week, byRank);
  const { shown, hidden } = lanes === 0 ? { shown: [], hidden: [] } : fitLanes(laned, 7, lanes);
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: its cells have the focus.
    <div class="cal-week" role="row">
      <span class="cal-week-number" aria-hidden="true">
        {weekNumber(week[week.length > 3 ? 3 : 0] ?? first)}
      </span>
      {week.map((day, index) => (
        <Cell
          key={day}
          {...props}
          day={day}
          shown={shown.filter((each) => each.first === index)}
          hidden={hidden[index] ?? 0}
          dots={lanes === 0 ? laned.filter((each) => each.first <= index && each.last >= index) : []}
          week={week}
        />
      ))}
    </div>
  );
}

interface CellProps extends ViewProps {
  day: string;
  month: string;
  week: readonly string[];
  shown: readonly Laned<LaneItem>[];
  hidden: number;
  dots: readonly Laned<LaneItem>[];
}

function Cell({ day, month, shown, hidden, dots, week, ...props }: CellProps) {
  const { habits, now, today, focusDay, placed, tasks, control } = props;
  const tabIndex = day === focusDay ? 0 : -1;
  const events = placed.filter((each) => touches(each, day));
  const name = fullDay(habits, day);
  const date = Number(day.slice(8));
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <div
      class="cal-cell"
      role="gridcell"
      data-day={day}
      data-today={day === today}
      data-outside={!day.startsWith(month)}
      data-weekend={isWeekend(day)}
      data-target={isTarget(control.drag.value, day)}
      aria-current={day === today ? "date" : undefined}
      aria-selected={day === focusDay}
      tabIndex={tabIndex}
      onFocusCapture={() => props.setFocusDay(day)}
    >
      <span class="visually-hidden">
        {m.cell(name, events.length, tasks.filter((each) => each.day === day).length)}
      </span>
      <span class="cal-date" aria-hidden="true">
        {date === 1 ? `${date} ${writeDay(habits, day, { month: "short" })}` : date}
      </span>
      {shown.map(({ item, first, last, lane }) => (
        <div key={keyOfItem(item)} class="cal-line" style={{ "--lane": lane, "--days": last - first + 1 }}>
          {item.kind === "task" ? (
            <TaskChip task={item.task} tabIndex={tabIndex} />
          ) : (
            <EventLink
              placed={item.placed}
              habits={habits}
              form={item.placed.isBar ? "bar" : "line"}
              isOver={isOver(now, item.placed)}
              tabIndex={tabIndex}
              continues={{ before: item.first < (week[0] ?? ""), after: item.last > (week.at(-1) ?? "") }}
            />
          )}
        </div>
      ))}
      {hidden > 0 && (
        <a class="cal-more bare" href={`/app/calendar/day/${day}`} tabIndex={tabIndex}>
          {m.more(hidden)}
          <span class="visually-hidden">{m.moreOn(name)}</span>
        </a>
      )}
      {dots.length > 0 && (
        <span class="cal-dots" aria-hidden="true">
          {dots.slice(0, 4).map(({ item }) => (
            <span
              key={keyOfItem(item)}
              class="cal-dot"
              data-colour={item.kind}
              style={item.kind === "event" ? hueOf(item.placed.event) : {}}
            />
          ))}
        </span>
      )}
    </div>
  );
}
