/** What owners write, in several languages: nothing of it may be blocked. One sentence a line. */
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Sentences without any word of a rule: they are sent without a warning. */
export const INNOCENT = lines(`
  We live in Scunthorpe, near Penistone and Lightwater
  My cocker spaniel met a cockapoo at the lake
  She is a bitch of three, in heat until Sunday
  He is a stud, and proud of it
  Our Shih Tzu met a shit tzu mix and two Shit Zus
  Kill your self-doubt and come along
  The retriever retrieved the ball, both balls in fact
  Dick Van Dyke, Moby Dick, and Dick next door
  Assess the grass, then pass the class in Sussex, Essex and Middlesex
  A coonhound barked at a raccoon
  A flame-retardant blanket for the car
  Niggardly portions at that café
  He sniggered at the titmouse
  Prick ears and a docked tail
  He keeps humping legs and licking everything
  We had faggots and peas for lunch
  Faggots and mash at the pub, dogs welcome
  Faggots and gravy, then a walk
  My daughter plays the Fagott
  Zwei Fagotte und eine Oboe
  Die Fagottistin hat einen Dackel
  Il fagotto suona piano
  I need tranny fluid for the van before the trip
  Don't kill yourself carrying that bag of food
  Do not kill yourself on the hill, take the path
  You'll kill yourself on that ice
  You could kill yourself laughing at him
  Je suis en retard, désolé
  Le train est en retard de dix minutes
  It's hit the fence twice
  Push it, hit it, then sit
  Take the A55 to Bangor
  100% of 455 cars passed us
  B&B with dogs; R&D; $5 + $8 = $13
  Meet at 5 PM, I'll be late
  ILL be there at six
  I will bring ILSE and BILL
  KILLARNEY is lovely in spring
  KIILOPÄÄ is a fell in Lapland
  The hill is steep, the bull is calm
  Skill and will
  I kill weeds with vinegar, safe for dogs
  This heat will kill me
  My phone is about to die
  He killed a squeaky toy in ten seconds
  What a killer view
  The vet wants to shoot an X-ray
  Can you shoot me a message?
  He shot across the field
  We were dying of laughter
  Those biscuits are to die for
  She beat us to the gate
  Beat the eggs, then feed the dog
  Poison ivy grows along the trail
  Is chocolate poison for dogs?
  Rat poison was found near the pond, please be careful
  Someone laid out poisoned bait, keep your dog on a leash
  The bait shop sells dog treats
  Bait and tackle by the pier
  We buy weed killer, not weeds
  I'm selling pillows and a crate
  Selling a puppy pen and pillow set
  Buy methodically trained dogs, they said
  The pills from the vet taste like liver
  My dog takes two pills a day
  He rolled in something dead
  Poop bags are in the box
  He peed on the hydrant
  His stool was soft this morning
  Anal glands again, off to the vet
  The vet checked her nipples and her vulva
  She has a false pregnancy
  He was neutered in May
  Spay or neuter?
  The stud fee is high
  They mated on Tuesday
  Breeding season at the lake, leash please
  Cumin and cucumber are fine in small amounts
  Circumstances changed, see you at eight
  The documentary was great
  Scrap the plan, crape myrtles are in bloom
  A scrappy terrier
  Crappie fishing at dawn
  The shiitake are for people only
  Shitake or shiitake?
  Shikoku dogs are rare
  Hitching post by the café
  Ditch on the left, watch out
  Which witch is which?
  The pitch is closed to dogs
  A stitch came out
  Stitches come out on Monday
  Basset hounds everywhere
  Bass Lake is dog friendly
  Harass? No, harness
  Embarrassing: he stole a sandwich
  Massachusetts has great trails
  Passage to the dunes is closed
  The compass points north
  Assisted living allows dogs
  Glass on the path near the bench
  Grass seeds in his paw
  The brass band scared her
  An assassin bug bit me
  Classic hound
  Bugged by ticks
  Buggy on the trail, leash up
  Analysis from the lab is fine
  A canal walk
  Banal, but true: bring water
  Therapist and therapy dog
  The grapes are poisonous for dogs
  Drape a towel over the crate
  Scrape the mud off
  Essex, Wessex and Sussex
  Sextant, sextet and sexton
  Unisex jackets in all sizes
  Titan and Titus are brothers
  Title of the book: A Dog's Life
  Constitution Hill at noon
  Competition on Saturday
  Appetite is back
  Petite poodle
  Peacock feathers on the lawn
  Cockatoo next door screams
  Cockburn Street, near the station
  Hancock Park
  Hitchcock film at the open air cinema
  Shuttlecock as a toy
  Woodcock and snipe
  Hotdog stand
  Dickens wrote about Bull's-eye
  Dickinson Park has a dog run
  Benedict is the name of my pug
  Predict rain
  Addiction to tennis balls
  Dictionary definition of a good boy
  Pussy willows are blooming
  The cat, a real pussycat
  Pusher of strollers, runner with two dogs
  Virgin Islands next month
  Virginia has dog beaches
  Hoary marmots whistle
  Whorl in his fur
  Anywhore? No, anywhere
  Slough Heath
  Slutsk is a town in Belarus
  Twattle means chatter
  Wank Mountain in Bavaria has a cable car
  Wanking? No, walking. Typo!
  Fucus is a seaweed
  Fuchs means fox in German
  Fukuoka has many dog cafés
  Fuksas is an architect
  Funk music scares her
  Duck, duck, goose
  Luck of the Irish setter
  Bucket of water by the gate
  Tucked in his blanket
  Truck on the fire road
  Cuntz is a surname
  Country walks only
  County fair this weekend
  Count me in
  Nigeria won the match
  Niger is a river
  Night walk at nine
  Nightingale in the hedge
  Nagging cough, off to the vet
  Nigella seeds
  Kiker Park at ten
  Hiking with Mike
  Kayak with a life vest for dogs
  Keys are under the mat
  Kyser is a good dog name
  Kystien langs havet er fin
  Gobbledygook on the sign
  Goofy grin
  Good boy
  Pedometer says 9,000 steps
  Pedigree papers
  Child gate at the stairs
  Children love him
  Jail bail is a game at school
  Retired greyhound
  Retarding the engine's timing
  Damsel in distress
  Amsterdam with the dog
  Hoover Dam allows dogs
  Bugs bunny toy
  Hell's Gate trail
  Hello from the hills
  Go to Hell, Michigan, it has a dog park
  Bloody Mary is the name of her poodle
  Willy and Billy will fill the bill
  Illinois Prairie Path at nine
  Wir treffen uns am See
  Der Hund ist dick geworden
  Mein dicker Dackel
  Er fickte die Flasche zu? Nein, er kickte sie
  Damit ist alles gesagt
  Die Fahrt nach Fugging war schön
  Ich bin im Park mit Rex
  Der Bastardzwinger? Nein, der Zwinger
  Nous nous retrouvons au parc
  Le chien aboie, la caravane passe
  Un phoque sur la plage
  Les douches sont au fond
  Elle porte des bottes
  Nos vemos en el parque a las seis
  El perro come arroz con pollo
  Mi perra está en celo
  Negro es el nombre de mi perro
  El lago negro queda cerca
  Ci vediamo al lago
  Il cane abbaia troppo
  Cazzuola, non cane
  Vi ses i parken klockan sex
  Fartkontroll på vägen
  Fart is speed in Danish
  God fart på turen
  Hunden er glad i dag
  De hond is ziek
  Kom je mee naar het strand?
  Até amanhã no parque
  O cachorro é manso
  Do zobaczenia w parku
  Pies jest chory
  Potkáme se v parku
  Találkozunk a parkban
  Puistossa tavataan
  Parkta görüşürüz
  Köpeğim İstanbul'da
  Встретимся в парке в шесть
  Моя собака боится салюта
  Побачимося в парку
  Θα βρεθούμε στο πάρκο
  公園で会いましょう
  犬の散歩に行こう
  공원에서 만나요
  我们在公园见
  नमस्ते, पार्क में मिलते हैं
  สวัสดี เจอกันที่สวน
  נתראה בפארק
  نلتقي في الحديقة
  Gặp nhau ở công viên
`);

/** Sentences with a word that also is a slur, or swearing: they are sent, with the warning. */
export const AMBIGUOUS = lines(`
  Kys og kram fra os alle
  Twatt is a place in Orkney
  Godnat kys
  Många kys och kramar
  My friend Kike is coming
  Are you Kike from the park?
  There is gook on his paws
  Wash off the gook
  The tranny of my truck broke down
  My old car needs a new tranny
  A faggot of sticks for the fire
  Cheap faggots at the butcher
  Slut på regnet, äntligen
  FCK vandt i går
  The word retard means to slow down in music
  Fags and beer after the walk
  Shit, I forgot the leash
  What a shitty day, rain again
  Bullshit, my dog is an angel
  You lucky bastard, sun all day
  Fuck, it rains
  This fucking rain
  Piss off, rain!
`);
