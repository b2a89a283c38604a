/** What lasts the whole day, or has no time of its own. */
const WHOLE_DAY =
  /\b(?:all[- ]day|whole day|full day|birthday|anniversary|holidays?|vacation|leave|off|away|trip|conference|congress|festival|fair|deadline|weekend|retreat|camp|hackathon|offsite|home ?office|wfh|out of office|ooo|travel(?:ling)?|hike|tour|exams?|payday|christmas|easter|new year|day)\b/i;
const TIMED_ANYWAY =
  /\b(?:meeting|call|sync|interview|appointment|lunch|dinner|breakfast|coffee|standup|stand-up|1:1|session|demo|dentist|doctor|room)\b/i;

/** Whether an event without a time of day is only half said. */
export const needsTime = (text: string) =>
  TIMED_ANYWAY.test(text) ? !/\b(?:all|whole|full)[- ]day\b/i.test(text) : !WHOLE_DAY.test(text);
