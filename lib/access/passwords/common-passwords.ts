/**
 * The commonest passwords, from the dictionary of @zxcvbn-ts/language-common 4.1.3: copyright (c) 2012-2016 Dan Wheeler and
 * Dropbox, Inc., (c) 2021 @zxcvbn-ts, under the MIT licence (docs/third-party.md). All in lower case.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** The passwords of 12 characters or more among the 50,000 commonest; the commonest of them has rank 1,158. */
export const LONG_COMMON = words(
  `123qweasdzxc 1qaz2wsx3edc q1w2e3r4t5y6 1q2w3e4r5t6y mailcreated5240 qazwsxedcrfv 123456qwerty qwerty123456 polniypizdec0211 sojdlg123aljg
  leavemealone motherfucker 123456654321 gfhjkmgfhjkm qazwsxedc123 ghjcnjgfhjkm zxcasdqwe123 sonyericsson ghhh47hj7649 123456789qwe 1qazxsw23edc
  masterbating qwerasdfzxcv qweasdzxc123 flvbybcnhfnjh 123456789987654321 112233445566 ghbdtnrfrltkf websolutions finalfantasy 1qaz2wsx3edc4rfv
  chickenwing101 unbelievable administrator 123321123321 justinbieber contortionist 123qwe123qwe newproject2004 pornographic masturbation
  needforspeed businessbabe 123456789123 masterbaiting maurolarastefy supernatural professional domainlock2005 scandinavian dkflbvbhjdbx
  momsanaladventure hd764nw5d7e1vb1 qazwsxedcrfvtgb 123456789012 dkflbvbhjdyf counterstrike zaq1xsw2cde3 vfvfvskfhfve 123456789abc fkmnthyfnbdf
  intelligence ghjcnjghjcnj admin18533362 23176djivanfros 123456789qwerty qazxswedcvfr qwertyasdfgh whosyourdaddy 1111111111zz fktrcfylhjdbx
  fktrcfylhjdyf 541233432442 123456789qaz ghbdtnghbdtn password1234 12345678900987654321 chesterfield 010203040506 lost4815162342 102030405060
  vanyarespekt qwerty123456789 89231243658s iseedeadpeople transformers devilmaycry4 combat123654 qwertyytrewq jamesbond007 123123qweqwe
  4815162342lost 123456789qqq asdfghjkl123 1234qwerasdf 123qwe456rty 1234567890qw ghjcnjrdfibyj qwertyuiop123 international saun24865709
  q1w2e3r4t5y6u7 ptybnxtvgbjy polniypizdec110211 1qa2ws3ed4rf 123456789zxc 12345678987654321 playstation3 31217221027711 fucktheworld 159753159753
  mevefalkcakk 1234567890qwe hedimaptfcor cosmopolitan q1w2e3r4t5y6u7i8 zqjphsyf6ctifgu lhbjkjubz2957704 123456782000 andrewjackie
  1qazxsw23edcvfr4 12qw34er56ty christopher1 159753456852 networkingpe philadelphia peanutbutter boy4u2ownnyc ingodwetrust minecraft123
  digitalprodu installdevic an83546921an13 qawsedrftgyh abc123456789 123321qweewq auckland2010 residentevil olcrackmaster 1234567890zzz
  32615948worms 012345678910 fuckyoubitch avrillavigne massimiliano nhfdvfnjkju123 742617000027 41d8cd98f00b nemvxyheqdd5oqxyxyzi temppassword
  punksnotdead fynfyfyfhbde nightcrawler playstation2 gjkysqgbpltw ticketmaster 01telemike01 stratocaster ghjcnjqgfhjkm installsqlst 123456789101
  1234567890qaz frederiksberg 1a2s3d4f5g6h passwordpassword schoolgirlie sanfrancisco 89876065093rax 1234567qwertyu lytghjgtnhjdcr 111222333000
  nhecsyfujkjdt zaqwsxcderfv seemnemaailm qwaszxerdfcv antananarivu greenlantern qazwsxqazwsx vfrcbvvfrcbv 1234qwerasdfzxcv iloveboobies
  ghjcnjgbpltw 123321456654 1234567890987654321 1234567890qwerty q1w2e3r4t5y6u7i8o9p0 morganstanley 59382113kevinp qwe123qwe123 gtnhjpfdjlcr
  zxcvbn123456 bltynbabrfwbz warhammer40k passwordstandard maprchem56458 construction bpgjldsgjldthnf iampurehaha2 qazxswedc123 qwertyuiop10
  stinkyfinger cjdthitycndj corperfmonsy weihnachtsbau 1234567892000 1234567887654321 stickdaddy77 123456789000 014702580369 asdfgh123456
  necronomicon mortalkombat 123qwerty123 systemofadown qaz123wsx456 nastyanastya zxcvbnm123456789 satisfaction cheeseburger a1s2d3f4g5h6
  minnesota_hp 122333444455555 vladimirovna 111222333444555 ilovemyfamily michaeljackson vfhbyfvfhbyf qwertyuiop12345 1qa2ws3ed4rf5tg
  websolutionssu amadeusptfcor specialinsta 123456789asd nhfycajhvths rfnthbyf1988 paraklast1974 webuivalidat msorcloledbr nondriversig
  123456789qwer wazzkaprivet weihnachtsbaum fktrcfylhjdf z1x2c3v4b5n6m7 ghjnbdjcnjzybt qwertyuiop12 sonnenschein anytimetoday ntktdbpjh1994
  nick1234-rem936 thecakeisalie ontheoutside zcfvfzkexifz xxxp455w0rd5 qwertasdfgzxcvb ghjatccbjyfk aksjdlasdakj89879 23wkoa0fp78dk marinamarina
  fatima753357 6215mila6215 zaq12wsxcde3 love777321777 123456789aaa 4815162342lf pfqwtd27121988 cnfc35762209 12345677654321 zxcvbnmmnbvcxz
  civilization findaupair007 alpha135792468 ghtdtlvtldtl edwardcullen gfhfktkjuhfv qazwsx123456 lytdybrbdfvgbhf asd123asd123 passwordassword
  ronaldinho10 ipo54tj45uy856 89semtsriuty foreveryoung sdicmt7seytn blacksonblon 420842084208555 ktjynsq40147 1a2a3a4a5a6a bullnuts2003
  050605rostik 19960610ilja 123456zxcvbn z1x2c3v4b5n6 entertainment 89063032220m badiman28200 123ewqasdcxz nhbujyjvtnhbz polniypizdec1102
  ne_e_pod_chehyl hd764nw5d7e1vbv josephphone7 gthtrfnbgjkt configuratio msoracle32re bhrh0h2oof6xbqjeh 193570356033`,
);

/** The words among the 1,000 commonest passwords: with digits or signs around them they are guessed as quickly. */
export const COMMON_WORDS = words(
  `password qwerty dragon baseball football monkey letmein shadow master michael mustang qwertyuiop pussy superman fuckyou jordan qazwsx jennifer
  killer hunter harley zxcvbnm asdfgh buster andrew batman soccer tigger charlie robert sunshine thomas iloveyou fuckme ranger daniel hockey
  george computer michelle jessica starwars asshole pepper klaster zxcvbn freedom princess joshua maggie pass ginger fuck amanda ashley love
  cheese nicole summer matthew chelsea dallas biteme matrix william yankees taylor corvette austin access martin heather thunder merlin secret
  diamond hello anthony hammer fucker silver gfhjkm justin patrick richard bailey internet samantha golfer scooter test orange cookie maverick
  jackson sparky mickey phoenix bigdog snoopy guitar whatever chicken morgan andrea camaro mercedes peanut ferrari cowboy falcon welcome samsung
  sexy steelers joseph smokey dakota melissa arsenal boomer eagles tigers marina nascar booboo gateway porsche yellow monster spider diablo hannah
  bulldog junior london purple compaq lakers iceman hardcore cowboys money banana boston brandon tennis johnny miller coffee scooby edward nikita
  mother yamaha brandy barney chester fuckoff oliver charles player knight forever steven rangers midnight chicago bigdaddy redsox victoria badboy
  angel please fender chris jasper james slayer rabbit natasha rachel bigdick marine wizard marlboro raiders prince casper fishing flower crystal
  jasmine panties iwantu adidas winner winter gandalf enter ghbdtn angela mike golden lauren cocacola winston madison angels blowme panther sexsex
  bigtits spanky bitch shannon sophie johnson asdfasdf david horny toyota tiger murphy dick canada danielle blowjob jonathan liverpoo muffin
  cooper apples jackie dennis black passw0rd john sandra pokemon slipknot carlos qazxsw scorpion qwaszx nathan butter startrek rainbow asdfghjkl
  razz redskins newyork gemini cameron qazwsxedc florida liverpool turtle nicholas viking booger wilson sierra butthead doctor rocket victor
  dolphins captain bandit jaguar packers pookie peaches asdf blue dolphin helpme tucker theman tiffany maxwell jeremy qwertyui shithead debbie
  albert maddog lovers monica alex united giants nirvana metallic hotdog rosebud mountain benjamin warrior stupid elephant suckit success jackass
  bonnie alexis porn lucky jason scorpio samson azerty freddy driver willie calvin sydney gators dexter bubba creative golf voodoo happy arthur
  trouble america nissan gunner rebecca stella garfield gordon jessie bullshit parker asdfghjk fucking apollo jack eminem december legend airborne
  beavis august bear apple brooklyn godzilla skippy buddy qwert kitten magic shelby beaver phantom fred nothing asdasd williams xavier braves
  darkness travis copper tomcat platinum qweqwe girls bigboy green power animal police online voyager lifehack fish sniper trinity walter blazer
  heaven lover snowball playboy bubbles loveme hooters cricket marvin willow donkey topgun nintendo saturn family november gabriel destiny
  pakistan pumpkin digital sergey chance explorer redwings private therock runner tits lasvegas guinness beatles fire cassie christin celtic
  broncos andrey babygirl nelson donald scott eclipse cartman fluffy louise michigan testing carolina little samuel alexande birdie steve cherry
  pantera sharon gibson vampire mexico dickhead peter buffalo montana genius beer flyers maximus school minecraft lovely stalker metallica doggie
  carter kristina kimberly spencer speedy barbara snickers sabrina carmen marcus bronco yankee friends paradise dreams magnum horses cool caroline
  lacrosse goober member qwertyu enigma scotty pimpin bollocks brian cock surfer sammy genesis poohbear dave star qweasdzxc baby racing friend
  hawaii billy viper october vanessa poopoo einstein boobies stanley walker bitches paul drowssap stephen courtney simple alaska badger action
  jake bill denise jester spitfire drummer forest patricia maryjane champion diesel svetlana rock friday kevin mark gregory pamela frank hotrod
  chevy anderson douglas westside security google badass shorty tester thumper hitman mozart general reddog boobs zaq12wsx music lizard alexander
  melanie ruslan vincent eagle sweet teresa scarface marshall olivia veronica porno buddha spirit frankie stargate antonio liberty natalie mercury
  naruto suzuki semperfi king popcorn spooky marley system brittany claudia kelly scotland free kitty cherokee vikings simpsons death leslie
  rascal qweasd jimmy loveyou hummer allison rocky patches russia adrian jupiter penguin cumshot howard passion honda vfhbyf andre vladimir
  franklin sandman infinity homer bastard raider passport assman sucker fantasy bulldogs horney domino budlight ironman disney norman softball
  bishop francis brutus ford redrum brooke bigred jeffrey jesus fktrcfylh karina marines kawasaki digger ireland oksana fireman cougar college
  shit alicia russell houston monday bradley cunt sarah nigger justice super wildcats tinker duncan dancer logitech avalon swordfis everton reggie
  motorola alexandr molly timothy hentai claire patriots madonna colorado eugene ducati kermit juventus indian connor galore freeuser smooth house
  titanic boogie simpson warcraft wolverin elizabet arizona saints valentin georgia asdfg accord matt baxter denver mitchell christ yfnfif slut
  smith stinky zachary roland naughty ncc1701d spiderma chopper brenda extreme virginia water skyline poop zombie pearljam froggy pirate fylhtq
  vision awesome alyssa dreamer predator bullet empire wolf kirill people penis elvis panthers skipper nemesis peekaboo simon alison rolltide
  american cardinal arnold chevelle daddy psycho danger mookie wanker manutd tommy hobbes vegeta goblue burton fyfcnfcbz picard bobby windows
  loverboy lovelove vfrcbv victory bambam turkey serega tweety hiphop galina changeme rooster polina berlin suckme taurus electric ronald avatar
  mine raptor maksim spring brazil eric bigcock newport hard kenneth hendrix madmax england alpha sublime britney france darkside bigman hercules
  lawrence wolfpack classic lincoln ronaldo spiderman blizzard cheyenne wombat cjkysirj raymond brother kristen pandora devils simone holiday
  wildcat horse kramer sterling caesar alabama carrie bondage basketball sports pussycat pickle leather shaggy chronic flowers robbie admin gracie
  amber freepass airplane perfect kodiak billybob katana sunset crazy good stingray maria anna snowman phpbb chocolat zeppelin garcia detroit
  wolves pontiac candy firebird vagina gundam panzer outlaw time pretty fisher connie honey business trevor redhead hardon greenday tarheels
  nastya hellfire cobra`,
);

/** More passwords of 12 characters or more, built the way people build them: runs of keys, and phrases. */
export const OWN_COMMON = words(
  `1234567890123 1234567891011 987654321098 147258369147 qwertyuiopasdf asdfghjklqwe zxcvbnmasdfg 1q2w3e4r5t6y7u abcdefghijkl abcdefghijklm
  abcd12345678 abcdef123456 abc123abc123 a123456789012 aa1234567890 aa123456789a p@ssw0rd1234 p@ssword1234 mypassword12 mypassword123
  iloveyouforever iloveyoubaby administrator1 administrator123 manchesterunited trustno1trustno1 correcthorsebatterystaple thisisapassword
  unknownunknown facebook1234 january12345 demo-password`,
);
