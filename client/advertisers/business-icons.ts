import {
  BedDouble,
  House,
  Scissors,
  ShoppingBag,
  Stethoscope,
  Store,
  Trees,
  Utensils,
  Wrench,
  type LucideIcon,
} from 'lucide-react';
import type { BusinessType } from '#shared/advertisers/business-types.ts';

/** Icons of business types. */
export const BUSINESS_ICONS: Record<BusinessType, LucideIcon> = {
  restaurant: Utensils,
  hotel: BedDouble,
  veterinary: Stethoscope,
  pet_store: ShoppingBag,
  grooming: Scissors,
  boarding: House,
  park: Trees,
  service: Wrench,
  other: Store,
};
