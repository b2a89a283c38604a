/** Words for a meeting. */
export const MEETING_NOUN =
  /\b(?:meeting|meet-?up|call|phone call|video call|conference call|appointment|appt|lunch|dinner|breakfast|brunch|coffee|drinks|interview|sync(?:-?up)?|stand-?up|demo|webinar|workshop|training|catch[ -]?up|check-?in|one-on-one|1:1|1-1|kick-?off|huddle|session|hangout|zoom|skype|teams|webex|google meet|video ?chat|chat|conference|seminar|presentation|party|ceremony|rehearsal|visit|consultation|get-?together|retro(?:spective)?|review meeting|town ?hall|all-?hands|offsite|reception|standup|hearing|wedding|funeral|graduation|gala|opening|launch party|farewell|agm|induction|reunion|assembly|open (?:day|house)|barbecue|bbq|picnic|viewing|fire drill)\b(?! for (?:papers|proposals))/i;
/** Words for events. */
export const EVENTS =
  "meeting|meet|appointment|appt|lunch|dinner|breakfast|brunch|coffee|drinks|party|date|game|match|practice|rehearsal|recital|concert|interview|class|lesson|exam|test|trip|flight|vacation|holiday|birthday|anniversary|wedding|funeral|ceremony|call|conference|workshop|training|session|event|tryouts?|checkup|check-up|reservation|movie|show|festival|tournament|race|hike|haircut|massage|therapy|visit|picnic|bbq|barbecue|reunion|deadline|graduation|surgery|lecture|seminar|webinar|gala|fundraiser|celebration|playdate|sleepover|happy hour|yoga|gym|golf|tennis|soccer|football|baseball|basketball|reveal|drive|shower|showing|viewing|delivery|pickup|drop-?off|audition|dentist|doctor|vet|barber|review|retro|stand-?up|sync|demo|kick-?off|briefing|hearing|physio|inspection|parents'? evening";
export const EVENT_NOUN = new RegExp(
  `\\b(?:${EVENTS}|opening|planning|committee|board|launch|talk|farewell|tour|play|off-?site|retreat|drill)s?\\b`,
  "i",
);
/** Meetings that take an hour unless the text says otherwise; all others take half an hour. */
export const LONG_MEETING =
  /\b(?:lunch|dinner|breakfast|brunch|coffee|drinks|interview|workshop|party|webinar|training|seminar)\b/i;

/** Asking for a meeting or proposing one. */
export const REQUEST = [
  /\b(?:can|could|shall|should|may|might) (?:we|you and i|i) (?:please |all |perhaps |maybe |possibly )?(?:meet|talk|speak|chat|connect|catch up|get together|schedule|set up|arrange|find (?:a )?time|have (?:a|our)|do (?:a|lunch|dinner|coffee)|hop on|jump on|sync|move|push|reschedule|grab|discuss)\b/i,
  /\b(?:let's|lets|let us) (?:plan to |try to |please |all |maybe |just )?(?:meet|talk|speak|chat|connect|catch up|get together|schedule|set up|set|arrange|find (?:a )?time|have|do|hop on|jump on|sync|move|push|reschedule|grab|discuss|touch base|aim|say)\b/i,
  /\b(?:are|will|would) (?:you|you both|you all|you guys|both of you|everyone|we) (?:be )?(?:free|available|around|able to (?:meet|talk|join|attend|make it))\b/i,
  /\b(?:do|would|will) you have (?:some |any |a few |a couple of |\d+ |a )?(?:minutes? .{0,20}to (?:talk|meet|chat|speak)|time|minutes|availability|moment|slot|opening)/i,
  /\b(?:does|would|will|do) .{1,50}\b(?:work|suit|be ok|be okay|be good|fit)\b/i,
  /\b(?:how|what) about\b/i,
  /\bwhen (?:can|could|would|should|are|will) (?:we|you)\b.{0,40}\b(?:meet|talk|speak|chat|free|available|catch up|get together|have time)\b/i,
  /\b(?:shall|can|could|may|should) (?:i|we) (?:come|drop|pop|stop|swing) (?:by|in|over|round|along|up|down)\b/i,
  /\b(?:can|could) (?:you|we) (?:make|do|manage) (?:it )?(?:on |at )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|the \d|\d)/i,
  /\bwe (?:should|could|need to|ought to|must) (?:have|hold|schedule|set up|organi[sz]e|arrange|do|plan) (?:an?|our|another|some)\b/i,
  /\b(?:can|could|shall|may) (?:i|we) (?:book|put|pencil|sign) you (?:in|for|down|up)\b/i,
  /\b(?:happy|glad) to (?:jump|hop|get) on (?:a|the) call\b/i,
  /\bso (?:that )?we can (?:meet|talk|have (?:lunch|dinner|coffee)|catch up)\b/i,
  /\b(?:i'd|i would|we'd|we would) (?:like|love) to (?:meet|schedule|set up|arrange|invite|have (?:a|you)|talk|discuss|get together|catch up|sit down)\b/i,
  /\b(?:schedule|set up|arrange|book|organi[sz]e|plan|put) (?:a|an|the|our|another|some|up a|me a|us a|something|time|in a|together a)\b/i,
  /\b(?:want|wanna|would you like|like|happy|free|care|interested) (?:to|in) (?:meet(?:ing)?|grab|join(?:ing)?|get together|catch up|have (?:lunch|dinner|coffee)|do (?:lunch|dinner|coffee)|talk|chat)\b/i,
  /\bcould you (?:please )?(?:join|attend|come|make it|meet|call|be available|dial in)\b/i,
  /\b(?:can|will|please|would) (?:you )?(?:join|attend|meet|call me|dial in|come (?:to|by|over))\b/i,
  /\b(?:looking for|find|need) (?:a |some )?(?:time|slot)s? (?:to|for|that|with)\b/i,
  /\b(?:pencil|block)(?:ed|ing)? (?:in|out|off)?\b/i,
];
/** Wishing to meet, whatever it is called. Enough on its own: no noun such as "meeting" is needed. */
export const WISH = [
  /\b(?:would|it'd|will) be (?:so |very |really )?(?:great|nice|good|lovely|helpful|useful|wonderful) (?:to|if (?:we|you)(?: could)?) (?:meet|get together|got together|talk|catch up|speak|sit down|have (?:lunch|dinner|coffee)|join)\b/i,
  /\b(?:we|i|you and i|of us)(?:'d|'ll)? (?:\w+ ){0,5}?(?:need|should|ought|want|like|love|hope|hoping|could|can|might|will|would)(?: \w+){0,5}? (?:get together|meet (?:with )?(?:you|up|in person)|sit down (?:with|and|to)|talk (?:to|with) you|speak (?:to|with) you|find (?:a|some|half)\b.{0,12}(?:time|hour)|have (?:lunch|dinner|coffee|a call|a meeting) (?:together|with you))\b/i,
  /\b(?:any chance (?:of|we|you)|opportunity (?:to|of)|chance (?:to|of)) (?:can |could )?(?:getting together|get together|meet(?:ing)?|talk(?:ing)? (?:to|with)|sit(?:ting)? down|catch(?:ing)? up)\b/i,
  /\b(?:want|like|care|love) to (?:try to )?(?:come (?:to|by|over|along)|join (?:us|me)|go (?:to|over to|out)|have (?:lunch|dinner|coffee|drinks)|schedule (?:a|some) time|get together)\b.{0,80}\?/i,
  /\b(?:request(?:ing)?|propose|suggest|firm up) (?:a|the|our|your|to have a) (?:meeting|visit|call|conference call|lunch|dinner)\b/i,
  /\bhope (?:that )?(?:you|everyone|you all)(?: \w+)? (?:can|could|will)(?: be able to)? (?:join|make it|come|attend)\b/i,
  /\bmark (?:on |it on |this on |this date on )?your calendars?\b/i,
  /\bwho (?:can|could|wants to) (?:join|make it|attend|come)\b/i,
  /\b(?:i|we) (?:need|have|would like) to reschedule\b|\b(?:meeting|call|lunch|interview|appointment) (?:has been|was|will be|is being) (?:re)?scheduled\b/i,
  /\b(?:your|our) (?:calendar|schedule|availability) (?:\w+ ){0,3}?(?:look(?:s)? like|open|free|allow)/i,
  /\bcan (?:you|we) (?:get|do|make) (?:lunch|dinner|coffee|drinks|breakfast)\b/i,
  /\b(?:days|dates|times|time-?slots?)\b.{0,30}\b(?:open to you|work for you|you are (?:free|available)|that suit you)\b/i,
  /\b(?:do|would|will) you have (?:\S+ ){0,3}?(?:minutes?|time|hour)\b.{0,30}\bto (?:talk|meet|chat|speak|discuss|go over|catch up)\b/i,
  /\bwhen (?:can|could|should|shall) (?:we|i) (?:meet|talk|speak|chat|get together|catch up|sit down)\b/i,
  /\byou (?:be )?up for (?:an?|some)\b|\bfancy (?:an?|some|going|meeting)\b|\bfeel like (?:an?|some|going|having|meeting|joining)\b/i,
  /\b(?:which|any|one) of (?:these|those|the following) (?:\w+ )?(?:slots?|times?|dates?|days)\b/i,
  /\bif you (?:could|can|would|were able to|would like to) (?:attend|join (?:us|me)|come (?:to|over|along|by)|make it)\b/i,
  /\b(?:let's|lets|shall we|can we|could we) (?:find|set|fix|agree on|pick|arrange) (?:an?|some) (?:time|date|day|slot)\b/i,
  /\bhope (?:that )?you (?:will|can|could|'ll) (?:be there|celebrate|be able to come|be with us)\b/i,
  /\b(?:i|we) (?:could|can) (?:do|make|manage) (?:it on )?(?:next |this )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|\d{1,2}(?::|am|pm| am| pm))/i,
  /\b(?:suggest|propose) (?:that )?we (?:talk|meet|speak|discuss|have|call|sit|go over|catch up|get together)\b/i,
  /\b(?:keep|hold|leave) (?:\S+ ){1,8}(?:free|open|clear) (?:for|so|to)\b/i,
  /\bwhen you (?:can|could|would like to|are able to|have time to|want to) (?:meet|talk|drop (?:in|by)|come (?:in|by|over)|stop by|pop (?:in|by))\b/i,
  /\b(?:need|get) (?:a slot|(?:half )?an hour|some time|(?:\d+|a few) minutes) with\b/i,
  /\bplan (?:for you|to be|on being)\b.{0,40}\bavailable\b/i,
  /\b(?:slot|time) open for (?:lunch|dinner|coffee|a call|a meeting)\b/i,
];
/** A day or time that suits somebody: "Saturday is good", "I am available on the 16th". */
export const SUITS =
  /\b(?:(?:is|are|would be|'s|should be|will be) (?:good|fine|best|great|ok|okay|perfect|better|open|relatively slow)|works?(?: best| better| well| for me| for us| next week| this week)?\s*[.!?,]|works? for (?:me|us|everyone)|(?:am|are|is|be|was) available|(?:i'm|i am|we're|we are|he is|she is) free|could meet|lets? shoot for|how(?:'s| is|s) .{0,40}\bwork|for (?:lunch|dinner|coffee))\b/i;
/** Confirming a meeting. */
export const CONFIRMATION = [
  /\b(?:is|are|been|was) (?:now )?(?:scheduled|confirmed|booked|set|planned|arranged|on) (?:for|at|on)\b/i,
  /\b(?:confirm(?:ed|ing|s)?|works for me|that works|sounds good|see you|talk to you|speak to you|looking forward to (?:meeting|seeing|speaking|our))\b/i,
  /\b(?:will|to) (?:take place|be held|happen|start|begin|meet|sit|convene|gather)\b|\btakes? place\b/i,
  /\b(?:have|got|put) (?:you|us|him|her|them) down for\b|\b(?:you|we)(?:'re| are) (?:booked|down|in) (?:in )?(?:with|for|at|on)\b/i,
  /\b(?:i|we)(?:'ll| will) (?:call|ring|phone|meet|see|visit|collect|pick) you\b/i,
  /\bwe(?:'ll| will) (?:be )?(?:having|have|host|throw|hold) (?:an?|our|some)\b/i,
  /\b(?:starts?|begins?|kicks? off) (?:at|on|promptly)\b/i,
  /\b(?:i've|i have|we've|we have) (?:scheduled|booked|set up|arranged|planned|reserved)\b/i,
  /\bwe(?:'re| are) (?:meeting|having|on for|all set)\b/i,
  /\breminder\b/i,
];
export const INVITATION = [
  /\b(?:you are|you're|you have been|we are|i am|i'm|we're) (?:cordially )?(?:invit(?:ed|ing))\b/i,
  /\b(?:invite|invites|invitation|calendar invite|save the date|please join|join us|rsvp)\b/i,
];
export const RESCHEDULE =
  /\b(?:re-?schedul(?:e|ed|ing)|mov(?:e|ed|ing) (?:our|the|it|this|to|your|my)|push(?:ed|ing)? (?:our|the|it|this|back|out|to)|postpon(?:e|ed|ing)|instead of|new time|different time|change (?:the|our) (?:time|meeting))\b/i;
export const CANCELLATION =
  /\b(?:(?:have|has|need|needs|had|going) to cancel|cancel(?:l?ed|ling|s)?|call(?:ed|ing)? off|no longer (?:able to|happening|taking place)|(?:can't|cannot|can not|won't be able to|unable to|not able to) (?:make|attend|join|come))\b/i;
/** Talking about a meeting that is over. */
export const PAST =
  /\b(?:thanks? (?:you )?for (?:meeting|the (?:meeting|call|chat|time)|your time|joining|attending|coming)|(?:we|i) (?:met|spoke|talked|had (?:a|the|our))|(?:went|was) (?:well|great|good|fine|productive)|as (?:we )?discussed|(?:meeting|call|lunch|dinner|session|visit|workshop|evening)(?: \w+){0,3} (?:was|went|covered)(?! (?:re)?scheduled| moved| set| planned| booked| postponed| confirmed| arranged)|minutes (?:of|from))\b/i;
export const MEETING_LINK =
  /\bhttps?:\/\/(?:[\w-]+\.)?(?:zoom\.us\/(?:j|my|w|s)\/|meet\.google\.com\/|teams\.microsoft\.com\/(?:l\/meetup-join|meet)\/|teams\.live\.com\/meet\/|webex\.com\/|gotomeet(?:ing)?\.(?:com|me)\/|whereby\.com\/|meet\.jit\.si\/|chime\.aws\/|bluejeans\.com\/|around\.co\/|app\.slack\.com\/huddle\/|join\.skype\.com\/)[^\s<>"')\]]{1,400}/gi;
/** "Join here: https://…": a link that is announced as the way to join, whatever its host. */
export const JOIN_LINK =
  /\b(?:join(?:ing)?|dial[ -]in|connect|attend|webinar|live ?stream|video link|meeting link|call link|meeting room)\b(?:[^\n.?!]|\.(?!\s)){0,60}?(https?:\/\/[^\s<>"')\]]{4,400})/gi;
/** Words for rooms, with a small or a large first letter. */
const ROOM_WORDS =
  "[\\p{L}-]{2,15} (?:room|hall)|boardroom|classroom|room|hall|bureau|oficina|büro|raum|zimmer|\\p{L}{3,20}raum|\\p{L}{3,20}saal|salle|sala|aula|suite|studio"
    .split("|")
    .map((word) => word.replace(/^[a-z](?=[a-zü])/, (letter) => `[${letter}${letter.toUpperCase()}]`))
    .join("|");
const ROOM = `(?:${ROOM_WORDS})(?: (?:de |des |du |del )?(?:[\\p{Lu}\\d][\\p{L}\\d.-]{0,15}))?`;
const NAMED =
  "[A-ZÄÖÜÉ][\\p{L}\\d'’&.-]{1,30}(?: (?:[A-ZÄÖÜÉ\\d][\\p{L}\\d'’&.-]{0,30}|of|the|de|du|del|am|im|la|le|und|y|et|and(?= [A-Z]))){0,5}";
const PLACE_KIND =
  "(?: (?:place|restaurant|bar|pub|café|cafe|hotel|club|library|school|station|store|shop|office|building)(?![\\p{L}]))?(?: on [A-Z]\\p{L}{1,20} (?:Street|St|Road|Avenue|Lane|Square))?";
const ARTICLE = "(?:the |our |my |your |der |dem |den |la |le |el |l'|los |las )?";
const INTO = "(?:in|at|@|im|bei|beim|chez|au|aux|dans|en|à)";
const HOME =
  "(?:our|my|your|their|\\p{Lu}\\p{Ll}+'s) (?:house|home|place|office|apartment|flat|studio)|the (?:office|cafeteria|lobby|canteen|library|gym|clinic|pub)";
/** A place that follows the time: "at 10:00 in Room 204", "on Friday at noon at Luigi's", ", conference room B". */
export const PLACE_AFTER_TIME = new RegExp(
  `^(?:[\\s,(–-]{1,4}${INTO} (${HOME}|${ARTICLE}(?:${ROOM}|${NAMED}${PLACE_KIND})(?:, ${ROOM})?)|\\s?[,(–-] ?(${ROOM}|${NAMED}(?: (?:Hall|Room|Building|Hotel|Office|Center|Centre|Club|House|School|Library|Park|Church|Theatre|Theater|Museum|Arena|Station))))(?![\\p{L}])`,
  "u",
);
/** A place between the event and its time: "Dinner with Priya at Café Central on Saturday". */
export const PLACE_BEFORE_TIME = new RegExp(
  `(?<![\\p{L}])${INTO} (${HOME}|${ARTICLE}(?:${ROOM}|${NAMED}))[\\s,]{0,3}(?:(?:on|at|for|am|um|le|el|à) ?)?$`,
  "u",
);
/** "Lindenstraße 9, Berlin", "12 Main Street". */
export const STREET_ADDRESS =
  /(?<![\p{L}\d])((?:[A-ZÄÖÜ][\p{L}.-]{1,30}(?:straße|strasse|str\.|platz|weg|allee|gasse|ufer|damm)|(?:[A-ZÄÖÜ][\p{L}-]{1,20} ){1,3}(?:Straße|Str\.|Platz|Allee|Weg)|(?:Rue|Avenue|Calle|Via|Plaza|Boulevard) (?:[\p{L}'’-]{1,20} ?){1,4}) \d{1,4} ?[a-z]?\b|\d{1,4}(?: ?bis|,)? (?:rue|avenue|av\.|boulevard|bd|place|quai|impasse)(?: (?:de|des|du|la|le|l['’]|d['’])){0,2}(?: ?\p{Lu}[\p{L}'’-]{1,20}){1,3}|\d{1,5} (?:[A-Z][\p{L}.'-]{0,20} ){1,3}(?:Street|St\.?|Avenue|Ave\.?|Road|Rd\.?|Lane|Ln\.?|Drive|Dr\.?|Boulevard|Blvd\.?|Square|Sq\.?|Way|Court|Place)(?![\p{L}]))((?:, \d{4,5}[ \p{L}]{0,20}|, [A-ZÄÖÜ][\p{L}-]{2,20}(?: [A-Z][\p{L}-]{2,20}){0,2}(?! \p{Lu})){0,2})/u;
export const PLACE_LABEL = /^[ \t]{0,10}(?:location|where|venue|place|address)[ \t]?:[ \t]{0,5}(\S[^\n]{1,120})/gim;
export const PLACE_IN_TEXT =
  /\b(?:in|at) ((?:the |our |my |your )?(?:(?:[Cc]onference|[Mm]eeting|[Bb]oard) ?[Rr]oom(?: [A-Z0-9][\w-]{0,20})?|[Rr]oom [A-Z0-9][\w-]{0,20}|office|cafeteria|lobby|headquarters|[A-Z][\w'&.-]{1,25}(?: (?:[A-Z0-9][\w'&.-]{0,25}|of|the|de)){0,4} (?:Room|Hall|Building|Center|Centre|Hotel|Restaurant|Café|Cafe|Bar|Street|Avenue|Road|Park|Office|Tower|Club|House|Library|University|School|Airport|Station|Theatre|Theater|Floor)))\b/;
