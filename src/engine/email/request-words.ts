import { wordSet } from "../../lib/words.ts";
/** Verbs that begin a command or a task. */
export const IMPERATIVES = wordSet(
  "accept add adjust advise allow answer apply approve arrange ask assign attach attend bear begin bill book bring buy call cancel change check choose circulate clarify clear click close collect come complete confirm connect consider contact coordinate copy correct count create decide delete deliver dial discuss distribute do don't double download draft drop email ensure enter enjoy examine expect explain fax feel file fill find finish fix follow forward get give go grab have hold help hit identify include indicate inform install investigate invite join keep leave let list load locate log look mail make mark meet merge move name note notify obtain open order organise organize pass pay phone pick pin plan post postpone prepare present print proceed process provide publish pull push put read rearrange recommend record refer register remember remind remove renew replace reply report request reschedule research resend reserve resolve respond return review revise run save say schedule see select send set share ship sign specify start stop submit suggest summarise summarize supply switch take talk tell test think track transfer translate try turn update upload use verify visit wait watch work write",
);
export const MODALS = wordSet("can could would will may might should shall do does did are is have has was were am");
export const PEOPLE = wordSet("you we i he she they anyone someone somebody everyone anybody");
export const QUESTION_WORDS = wordSet("what when where who whom whose which why how");
/** Phrases that soften a request. */
export const HEDGES =
  /would you mind|i was wondering|would be great|would be helpful|would appreciate|it would be|if possible|let me know|give me a call|get back to me|make sure|don't forget|do not forget|be sure to|feel free|look forward|looking forward|any chance/;
/** Words that begin a sentence with a capital letter and are nobody's name. */
export const NOT_NAMES = wordSet(
  "please also if and so but then thanks let can could would will this that it we you they he she there when what who how where why ok okay finally first second third next monday tuesday wednesday thursday friday saturday sunday yes no sorry january february march april may june july august september october november december today tomorrow until before after once however unfortunately otherwise",
);
