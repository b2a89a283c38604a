/**
 * What the most common passwords are made of. Spellings with other digits, capitals or signs, and digits before or
 * after, are covered by the rules in weak-passwords.ts.
 */
export const COMMON_WORDS: readonly string[] = `
  password passwort passwd pass parola contrasena motdepasse wachtwoord senha haslo mypassword secret secreto
  topsecret admin administrator root toor user username guest test tester testing demo sample default changeme
  change master access login logon signin signup letmein welcome bienvenue willkommen hello hallo helloworld goodbye
  hola bonjour enter open opensesame sesame please thankyou whatever nothing something anything everything forever
  iloveyou iloveu iloveme ilovegod loveyou loveme lovely love lover lovelove amor teamo mylove babylove truelove
  forgetit fuckyou fuckme fuckoff fuck asshole bitch bullshit pussy sexy sex sexsex sunshine moonlight starlight
  rainbow summer winter autumn spring monday tuesday wednesday thursday friday saturday sunday january february
  march april june july august september october november december princess prince queen king angel angels babygirl
  babyboy baby sweetheart sweetie sweety honey sugar cookie chocolate candy cupcake cherry banana orange apple
  peanut pumpkin pepper ginger cheese pizza coffee dragon monkey tiger lion panther eagle falcon phoenix wolf shadow
  hunter killer ninja samurai warrior ranger knight wizard magic merlin gandalf legend hero gladiator viking spartan
  football futbol fussball soccer baseball basketball hockey tennis golf boxing wrestling rugby cricket nascar
  yankees cowboys packers steelers lakers eagles redsox patriots raiders broncos dolphins giants dodgers liverpool
  arsenal chelsea manchester everton barcelona realmadrid juventus milan celtic rangers united ronaldo messi jordan
  kobe superman batman spiderman ironman wolverine deadpool joker starwars startrek vader darthvader skywalker yoda
  pokemon pikachu naruto sasuke goku dragonball matrix terminator rambo godfather harrypotter hogwarts hobbit
  minecraft roblox fortnite playstation nintendo mario zelda xbox gamer computer internet microsoft windows google
  facebook youtube twitter instagram samsung iphone android linux ubuntu oracle cisco server network system database
  office company business manager service support public private michael michelle jennifer jessica ashley amanda
  samantha stephanie nicole elizabeth victoria alexander alexandra daniel david robert william thomas charles
  charlie joseph matthew anthony andrew joshua jonathan christopher christian patrick richard steven brandon justin
  jason kevin brian eric george edward benjamin nicholas maria anna andrea laura sarah rachel rebecca melissa
  danielle hannah emily emma olivia sophie sophia natalie natasha martin peter oliver lucas carlos antonio fernando
  alejandro gabriel miguel jesus jackson taylor morgan austin dakota mustang corvette ferrari porsche mercedes
  camaro chevrolet chevy ford toyota honda yamaha suzuki kawasaki harley ducati bmw audi volkswagen maverick america
  canada london paris berlin germany france england scotland ireland australia newyork chicago boston dallas texas
  california florida hawaii brazil mexico india china russia trustno1 blink182 metallica nirvana slipknot eminem
  rockstar rocknroll guitar music metal thunder lightning storm fire fireball blaze ice iceman snow snowball silver
  golden gold diamond crystal emerald money dollar cash casino lucky winner champion victory freedom peace buster
  bailey maggie molly max daisy lucy bella rocky bandit tigger simba teddy teddybear puppy kitty kitten doggie dog
  cat bear bunny butterfly dolphin turtle rabbit horse flower rose roses lily violet purple yellow green blue black
  white red pink cowboy sailor captain marine soldier army navy police doctor student teacher school college
  university jesuschrist godisgood blessed blessing heaven faith hope grace church bible qwerty qwertz azerty asdf
  zxcv qazwsx trinity abcdef a1b2c3d4 zaq12wsx
  kennwort geheim schatz ficken sommer herbst fruhling hallihallo sternchen soleil doudou loulou chouchou coucou
  marseille bonheur tequiero amorcito estrella corazon brasil flamengo corinthians welkom polska misiek sifre
  salasana losenord passord adgangskode heslo jelszo parool woaini wang dearbook dubsmash alex james bond sandra
  пароль привет любовь солнышко максим наташа марина андрей
  ncc1701 thx1138 8675309 bond007 5201314 1314520
  147258369 741852963 963852741 147258 159753 159357 789456123 741852
`
  .trim()
  .split(/\s+/);
