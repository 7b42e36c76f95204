import {
  Bath,
  BedDouble,
  Building2,
  CircleParking,
  Coffee,
  Dices,
  Droplets,
  Footprints,
  Info,
  Lightbulb,
  Link2,
  MapPin,
  ShieldAlert,
  Stethoscope,
  TreePine,
  Trees,
  Umbrella,
  Waves,
  type LucideIcon,
} from 'lucide-react';
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

type Feature = 'leash_required' | 'parking_available' | 'water_available' | 'restrooms_available';

/** A place's features, shown as badges. */
export const FEATURES = [
  { field: 'leash_required', name: 'Leash Required', Icon: Link2 },
  { field: 'parking_available', name: 'Parking', Icon: CircleParking },
  { field: 'water_available', name: 'Water', Icon: Droplets },
  { field: 'restrooms_available', name: 'Restrooms', Icon: Bath },
] as const satisfies readonly (Kind & { field: Feature & keyof WalkLocation })[];

/** Returns the options for a select field. */
export const choicesOf = <T extends string>(kinds: Record<T, Kind>): { value: T; name: string }[] =>
  (Object.entries(kinds) as [T, Kind][]).map(([value, { name }]) => ({ value, name }));
