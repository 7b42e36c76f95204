/** Sample names and texts. */
export const FIRST_NAMES =
  'Alice Amir Ana Ben Bea Carla Chen Daniel Dora Elena Emil Fatima Felix Grace Hannah Hugo Ines Ivan Jonas Julia Kenji Kira Lea Leo Lina Luis Mara Marco Maya Mila Nadia Nils Noor Olga Omar Paul Petra Quinn Rania Rosa Ruben Sara Simon Tara Theo Uma Vera Viktor Wanda Yusuf Zoe'.split(
    ' ',
  );
export const LAST_NAMES =
  'Abel Adler Baker Brandt Castillo Chavez Dietrich Duarte Ellis Fischer Fontaine Garcia Haddad Hansen Ito Jansen Keller Kowalski Larsen Lehmann Martin Meyer Moreau Nakamura Novak Okafor Olsen Park Petrov Quist Reyes Rossi Sato Schmidt Silva Tanaka Torres Ueda Vargas Weber Wolf Young Zimmer'.split(
    ' ',
  );
export const DOG_NAMES =
  'Bella Max Luna Rocky Daisy Milo Nala Buddy Coco Oscar Ruby Charlie Molly Sam Lola Bruno Maggie Teddy Sadie Rex Willow Finn Stella Gus Pepper Otto Ivy Hank Olive Moose'.split(
    ' ',
  );

export const PLACES = [
  ['Riverside Park', 'park', 'Wide lawns along the water, quiet before nine.'],
  ['Mill Trail', 'trail', 'Three miles through the woods, narrow in parts.'],
  ['North Beach', 'beach', 'Dogs are welcome from October to April.'],
  ['Old Town Loop', 'urban', 'Paved, lit at night, many benches.'],
  ['Beech Forest', 'forest', 'Cool in summer; ticks in May.'],
  ['Swan Lake', 'lake', 'A flat walk around the lake.'],
  ['Meadow Field', 'other', 'A fenced meadow, gates on both sides.'],
  ['Hilltop Green', 'park', 'Steep, but the view is worth it.'],
] as const;

export const TIPS = [
  ['general', 'Come early', 'Before eight it is almost empty, with room for dogs that need space.'],
  ['parking', 'Park at the north gate', 'It is free there, and closer to the water.'],
  ['bathroom', 'Restrooms close at six', 'The ones at the café stay open until nine.'],
  ['food', 'The kiosk has bowls', 'They fill them for you, and the coffee is good, too.'],
  ['safety', 'Watch the bicycle path', 'It crosses twice, and they are fast.'],
  ['veterinary', 'A vet two blocks away', 'Open on Saturdays; call before you come.'],
] as const;

export const MESSAGES = [
  'Hi! Is Bella around for a walk later?',
  'We are at the park by five.',
  'Great, see you at the north gate.',
  'Mine is on the leash today, she had a bad morning.',
  'No problem, we keep our distance.',
  'That was fun, same time tomorrow?',
  'I found your ball, I will bring it along.',
  'Running ten minutes late!',
];

export const CHARITIES = [
  ['Second Walk', 'We walk dogs for owners who can’t, and find homes for old ones.'],
  ['Warm Noses Rescue', 'A shelter for forty dogs, run by neighbors.'],
  ['Paws for the Road', 'Transport from crowded shelters to foster homes.'],
  ['The Vet Fund', 'Pays vet bills for people who can’t.'],
  ['Quiet Kennels', 'Training for dogs that are afraid of others.'],
] as const;

export const HOUSE_ADS = [
  ['Give while you walk', 'Find charities in your town in the Community tab.', 'banner'],
  ['Know a good place?', 'Tell others where your dog likes to walk.', 'sidebar'],
  ['Bring a friend', 'Warnings work best when others have them too.', 'inline'],
] as const;
