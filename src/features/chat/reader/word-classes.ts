/**
 * Words that do the same work in a message. A model that has seen "scrap the gym" then understands "axe the gym". A word
 * may be in several classes; the first is the one it has in runs of words.
 */
const CLASSES = {
  remove:
    "cancel cancelled canceled cancelling delete deleted remove removed drop dropped scrap scrapped bin binned trash kill axe ditch nix junk erase wipe dump chuck scratch lose toss zap nuke rid shred discard pull skip skipping bail rubbish",
  off: "off",
  out: "out",
  back: "back",
  up: "up",
  down: "down",
  over: "over",
  away: "away",
  into: "into in to onto",
  done: "done finished finish completed complete sorted sort ticked tick handled crossed cross checked check dealt knocked wrapped paid bought sent posted called rang phoned booked ordered emailed mailed fixed cleaned washed filed signed submitted returned collected renewed printed walked fed watered mowed painted picked dropped got gotten did made wrote written read taken took gave given bagged nailed smashed",
  move: "move moved moving push pushed shift shifted bump bumped reschedule rescheduled postpone postponed slide swap swapped switch switched change changed rebook delay delayed rearrange defer transfer stick put set make",
  later: "later delay",
  earlier: "earlier sooner forward",
  longer: "longer extend extended lengthen extra stretch additional more",
  shorter: "shorter shorten trim cut reduce shave knock less halve",
  long: "long lasts last lasting takes take duration whole",
  until: "until till til ends end ending finish finishes finishing through wraps over",
  rename:
    "rename renamed call called name named title titled retitle entitled spelled spelt typo read reads known label",
  place:
    "place location venue room where address office zoom teams meet café cafe house hall park school club online located upstairs downstairs building",
  invite: "invite invited inviting include including loop join joins joining add adding cc bring along guest attend",
  coming: "coming come comes attending going",
  not: "not no isn't aren't won't don't can't doesn't didn't wasn't without never cannot couldn't nobody none neither",
  priority:
    "urgent important priority prio critical asap crucial high low top highest lowest normal medium pressing rush hurry urgency vital",
  list: "list lists",
  repeat:
    "every weekly daily monthly repeat repeats recurring recur each yearly fortnightly repeating recurrence regular",
  stop: "stop stops end quit once one-off",
  reopen: "reopen untick uncheck unfinished incomplete outstanding again still",
  undo: "undo revert reverse before restore was were original originally previous mistake oops whoops",
  meant: "meant mean other wrong",
  read: "read open show display see view pull says say said",
  sum: "summarise summarize summary gist short nutshell tldr points boil recap",
  star: "star starred flag flagged favourite favorite",
  unstar: "unstar unflag",
  archive: "archive archived archives file stash tidy",
  inbox: "inbox unarchive",
  unread: "unread",
  tag: "tag tags tagged label labels labelled labeled",
  snooze: "snooze resurface hide remind reappear",
  reply: "reply respond answer tell write let know",
  forward: "forward fwd pass share onto along",
  send: "send sent fire go goes ship",
  tasks: "task tasks todo todos to-do reminder reminders chores jobs actions items",
  unsub: "unsubscribe unsub subscribed mailings mailing spam newsletters",
  mail: "email emails mail mails message messages letter inbox newsletter draft thread e-mail",
  event:
    "meeting meetings event events appointment appt calendar diary agenda schedule booking slot invite call session",
  add: "add adding remind reminder need must should gotta forget remember pencil book schedule stick pop jot note enter block reserve plan create new set",
  wh: "what when where who which how whose why whats whens wheres",
  aux: "is are am do does did have has can could would will should shall may might",
  free: "free available availability gap busy open spare time",
  i: "i i'm i've i'd i'll we we're we've we'll me my",
  you: "you your",
  they: "he she they he's she's they're they've her him them his their",
  it: "it it's its that that's this these those them both one ones",
  maybe:
    "maybe might perhaps thinking considering wondering wonder if tempted whether supposedly reckons thinks wants says said heard apparently told talk rumour rumor",
  yes: "yes yeah yep yup sure ok okay aye please absolutely definitely",
  no: "no nope nah",
  thanks:
    "thanks thank cheers ta brilliant great lovely perfect love hello hi hey morning bye goodnight welcome star gem",
  instead: "instead rather better now actually",
  pick: "first second third last former latter both all either top bottom",
  world:
    "weather rain music song play lights light flight flights news score recipe translate convert price stock capital joke timer alarm volume temperature uber taxi directions navigate order buy cost",
};

const held = new Map<string, string[]>();

/** The classes of a word, in lower case. */
export function classesOf(word: string): readonly string[] {
  if (held.size === 0) {
    for (const [name, members] of Object.entries(CLASSES)) {
      for (const member of members.split(" ")) held.set(member, [...(held.get(member) ?? []), name]);
    }
  }
  return held.get(word) ?? [];
}
