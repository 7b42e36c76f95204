import {
  Bath,
  BedDouble,
  Building2,
  CircleParking,
  Coffee,
  Dices,
  Dog,
  Droplets,
  Fence,
  Footprints,
  Info,
  Lamp,
  Lightbulb,
  Link2,
  MapPin,
  ShieldAlert,
  ShoppingBag,
  Stethoscope,
  Trash2,
  TreePine,
  Trees,
  Umbrella,
  Waves,
  type LucideIcon,
} from 'lucide-react';
import type { AmenityKind } from '#shared/amenities/contract.ts';
import type { LocationType, TipType, WalkLocation } from '#shared/locations/schemas.ts';

interface Kind {
  name: string;
  Icon: LucideIcon;
}

/** Location types in the order of the options. */
export const LOCATION_KINDS: Record<LocationType, Kind> = {
  park: { name: 'Park', Icon: Trees },
  trail: { name: 'Trail', Icon: Footprints },
  beach: { name: 'Beach', Icon: Umbrella },
  urban: { name: 'Urban', Icon: Building2 },
  forest: { name: 'Forest', Icon: TreePine },
  lake: { name: 'Lake', Icon: Waves },
  other: { name: 'Other', Icon: MapPin },
};

/** Tip types in the order of the options. */
export const TIP_KINDS: Record<TipType, Kind> = {
  general: { name: 'General', Icon: Lightbulb },
  food: { name: 'Food & Drink', Icon: Coffee },
  bathroom: { name: 'Restrooms', Icon: Bath },
  lodging: { name: 'Lodging', Icon: BedDouble },
  parking: { name: 'Parking', Icon: CircleParking },
  safety: { name: 'Safety', Icon: ShieldAlert },
  activity: { name: 'Activity', Icon: Dices },
  veterinary: { name: 'Veterinary', Icon: Stethoscope },
  other: { name: 'Other', Icon: Info },
};

/** A place's features, shown as badges. */
export const FEATURES = [
  { field: 'leash_required', name: 'Leash Required', Icon: Link2 },
  { field: 'off_leash', name: 'Off leash', Icon: Dog },
  { field: 'fenced', name: 'Fenced', Icon: Fence },
  { field: 'parking_available', name: 'Parking', Icon: CircleParking },
  { field: 'water_available', name: 'Water', Icon: Droplets },
  { field: 'restrooms_available', name: 'Restrooms', Icon: Bath },
  { field: 'lit', name: 'Lit at night', Icon: Lamp },
] as const satisfies readonly (Kind & { field: keyof WalkLocation })[];

/** What helps on a walk, in the order of the options. */
export const AMENITY_KINDS: Record<AmenityKind, Kind & { many: string }> = {
  water: { name: 'Drinking water', many: 'Drinking water', Icon: Droplets },
  bin: { name: 'Bin', many: 'Bins', Icon: Trash2 },
  toilets: { name: 'Toilets', many: 'Toilets', Icon: Bath },
  parking: { name: 'Car park', many: 'Car parks', Icon: CircleParking },
  vet: { name: 'Vet', many: 'Vets', Icon: Stethoscope },
  pet_shop: { name: 'Pet shop', many: 'Pet shops', Icon: ShoppingBag },
};

/** Returns the options for a select field. */
export const choicesOf = <T extends string>(kinds: Record<T, Kind>): { value: T; name: string }[] =>
  (Object.entries(kinds) as [T, Kind][]).map(([value, { name }]) => ({ value, name }));
