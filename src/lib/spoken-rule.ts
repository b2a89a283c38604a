const UNITS: Record<string, string> = {
  HOURLY: "hour",
  DAILY: "day",
  WEEKLY: "week",
  MONTHLY: "month",
  YEARLY: "year",
};
const DAYS: Record<string, string> = {
  MO: "Monday",
  TU: "Tuesday",
  WE: "Wednesday",
  TH: "Thursday",
  FR: "Friday",
  SA: "Saturday",
  SU: "Sunday",
};
const WORKDAYS = "MO,TU,WE,TH,FR";

/** An RFC 5545 rule in words, such as "every 2 weeks on Friday". Rare parts of a rule are left out. */
export function spokenRule(rrule: string, from: "due" | "done" = "due"): string {
  const parts = new Map(
    rrule.split(";").map((part): [string, string] => [part.split("=")[0] ?? "", part.split("=")[1] ?? ""]),
  );
  const interval = Number(parts.get("INTERVAL") ?? 1);
  const unit = UNITS[parts.get("FREQ") ?? ""] ?? "time";
  const count = interval === 1 ? unit : `${interval} ${unit}s`;
  if (from === "done") return `${interval === 1 ? `a ${unit}` : count} after it is done`;
  const byDay = parts.get("BYDAY");
  if (interval === 1 && byDay === WORKDAYS) return "every weekday";
  const days = (byDay?.split(",") ?? []).flatMap((day) => DAYS[day] ?? []);
  if (interval === 1 && unit === "week" && days.length > 0) return `every ${days.join(" and ")}`;
  const monthDay = parts.get("BYMONTHDAY");
  const on =
    days.length > 0
      ? ` on ${days.join(" and ")}`
      : monthDay === "-1"
        ? " on its last day"
        : monthDay
          ? ` on day ${monthDay}`
          : "";
  return `every ${count}${on}`;
}
