import type { AmenityKind } from '#shared/amenities/contract.ts';
import { LOCATION_ADDRESS_MAX, LOCATION_NAME_MAX } from '#shared/locations/rules.ts';
import type { LocationType } from '#shared/locations/schemas.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import type { Tags } from './read-objects.ts';

/** The tags that are read; others are dropped when a file is read. */
export const TAG_KEYS = [
  'name',
  'access',
  'addr:city',
  'addr:housenumber',
  'addr:street',
  'amenity',
  'area',
  'barrier',
  'bin',
  'contact:phone',
  'description',
  'dog',
  'drinking_water',
  'fee',
  'fence_type',
  'fenced',
  'foot',
  'highway',
  'landuse',
  'leisure',
  'lit',
  'natural',
  'opening_hours',
  'operator',
  'parking',
  'phone',
  'place',
  'route',
  'shop',
  'toilets',
  'vending',
  'waste',
  'water',
  'wheelchair',
] as const;
type Tag = (typeof TAG_KEYS)[number];
/** So that no tag is read that a file's reader drops. */
const reader =
  (tags: Tags) =>
  (key: Tag): string | undefined =>
    tags[key];

const PHONE_MAX = 40;
const OPERATOR_MAX = 60;

/** Whether the public may be there. */
const isOpenToAll = (access: string | undefined): boolean =>
  !['no', 'private', 'customers', 'permit', 'military'].includes(access ?? '');

/** A place to walk as its tags say it. */
export interface TaggedPlace {
  name: string;
  address: string;
  location_type: LocationType;
  leash_required: boolean;
  off_leash: boolean;
  fenced: boolean;
  lit: boolean;
  water_available: boolean;
  restrooms_available: boolean;
  parking_available: boolean;
  opening_hours: string | undefined;
}

const PATHS = new Set(['path', 'footway', 'bridleway', 'track', 'pedestrian']);
const WALKS = new Set(['hiking', 'foot', 'walking']);
const LAKES = new Set(['lake', 'pond', 'reservoir', 'lagoon', 'basin']);

/** The type of a place to walk; null for anything else. The first that fits. */
function typeOf(tags: Tags): LocationType | null {
  const tag = reader(tags);
  const [leisure, natural, landuse] = [tag('leisure'), tag('natural'), tag('landuse')];
  if (leisure === 'dog_park' || leisure === 'park' || leisure === 'common') return 'park';
  if (landuse === 'recreation_ground' || landuse === 'village_green') return 'park';
  if (natural === 'beach') return 'beach';
  if (natural === 'wood' || landuse === 'forest') return 'forest';
  if (natural === 'water' && LAKES.has(tag('water') ?? '')) return 'lake';
  if (tag('place') === 'square') return 'urban';
  if (WALKS.has(tag('route') ?? '')) return 'trail';
  if (tag('highway') === 'pedestrian' && tag('area') === 'yes') return 'urban';
  // A pavement beside a road has a road's name, too: only a path that isn't one.
  if (PATHS.has(tag('highway') ?? '') && tag('highway') !== 'pedestrian') return 'trail';
  if (leisure === 'nature_reserve' || natural === 'heath' || natural === 'grassland')
    return 'other';
  return null;
}

const UNNAMED = { dog_park: 'Dog park', beach: 'Beach' };

/** Whether a place has only the name of its kind. */
export const isUnnamed = ({ name }: Pick<TaggedPlace, 'name'>): boolean =>
  Object.values(UNNAMED).includes(name);

/** Without a name, only dog parks and beaches are worth finding. */
function nameOf(tags: Tags): string {
  const tag = reader(tags);
  const name = cutText(tag('name')?.trim() ?? '', LOCATION_NAME_MAX).trim();
  if (name) return name;
  if (tag('leisure') === 'dog_park') return UNNAMED.dog_park;
  return tag('natural') === 'beach' ? UNNAMED.beach : '';
}

function addressOf(tags: Tags): string {
  const tag = reader(tags);
  const street = [tag('addr:street'), tag('addr:housenumber')].filter(Boolean).join(' ');
  return cutText([street, tag('addr:city')].filter(Boolean).join(', '), LOCATION_ADDRESS_MAX);
}

/** Returns the place to walk that an object is; null for anything else, and where dogs or the public may not go. */
export function placeOfTags(tags: Tags): TaggedPlace | null {
  const tag = reader(tags);
  const location_type = typeOf(tags);
  const name = location_type && nameOf(tags);
  const dog = tag('dog');
  if (!location_type || !name || dog === 'no') return null;
  if (!isOpenToAll(tag('access')) || tag('foot') === 'no') return null;
  const isDogPark = tag('leisure') === 'dog_park';
  return {
    name,
    address: addressOf(tags),
    location_type,
    leash_required: dog === 'leashed',
    off_leash: dog === 'unleashed' || dog === 'off_leash' || (isDogPark && dog !== 'leashed'),
    fenced:
      tag('fenced') === 'yes' ||
      tag('fence_type') !== undefined ||
      tag('barrier') === 'fence' ||
      tag('barrier') === 'wall',
    lit: ['yes', '24/7', 'automatic'].includes(tag('lit') ?? ''),
    water_available: tag('drinking_water') === 'yes',
    restrooms_available: tag('toilets') === 'yes',
    parking_available: tag('parking') === 'yes',
    opening_hours: tag('opening_hours'),
  };
}

/** What helps on a walk, as its tags say it. */
export interface TaggedAmenity {
  kind: AmenityKind;
  name: string | null;
  notes: string[];
  phone: string | null;
  opening_hours: string | undefined;
}

const BAGS = 'excrement_bags';

function amenityKindOf(tags: Tags): AmenityKind | null {
  const tag = reader(tags);
  const amenity = tag('amenity');
  if (amenity === 'drinking_water') return 'water';
  if (amenity === 'fountain' && tag('drinking_water') === 'yes') return 'water';
  if (amenity === 'waste_basket' || amenity === 'waste_disposal') return 'bin';
  if (amenity === 'vending_machine' && tag('vending')?.split(';').includes(BAGS)) return 'bin';
  if (amenity === 'toilets') return 'toilets';
  if (amenity === 'parking') return 'parking';
  if (amenity === 'veterinary') return 'vet';
  return tag('shop') === 'pet' ? 'pet_shop' : null;
}

/** Returns what an object is for somebody who walks a dog; null if nothing, or not for the public. */
export function amenityOfTags(tags: Tags): TaggedAmenity | null {
  const tag = reader(tags);
  const kind = amenityKindOf(tags);
  if (!kind || !isOpenToAll(tag('access')) || tag('drinking_water') === 'no') return null;
  const vending = tag('vending')?.split(';') ?? [];
  const notes = [
    vending.includes(BAGS) && 'Bags for dog waste',
    tag('waste')?.includes('dog_excrement') && 'For dog waste',
    (kind === 'toilets' || kind === 'parking') && tag('fee') === 'yes' && 'Costs money',
    (kind === 'toilets' || kind === 'parking') && tag('fee') === 'no' && 'Free',
    tag('dog') === 'yes' && 'Dogs welcome',
    tag('dog') === 'no' && 'No dogs',
    tag('wheelchair') === 'yes' && 'Step-free',
  ];
  const phone = tag('phone') ?? tag('contact:phone') ?? null;
  return {
    kind,
    name: cutText(tag('name') ?? tag('operator') ?? '', OPERATOR_MAX) || null,
    notes: notes.filter((note) => note !== false && note !== undefined),
    phone: phone !== null && phone.length <= PHONE_MAX ? phone : null,
    opening_hours: tag('opening_hours'),
  };
}
