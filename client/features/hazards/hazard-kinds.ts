import {
  Dog,
  GlassWater,
  Search,
  Skull,
  ThermometerSun,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import type { HazardKind } from '#shared/hazards/rules.ts';

/** The dialog for a report, in the address as `?open=`. */
export const OPEN_HAZARD = 'report-hazard';

export const HAZARD_ICONS: Record<HazardKind, LucideIcon> = {
  glass: GlassWater,
  poison: Skull,
  aggressive_dog: Dog,
  heat: ThermometerSun,
  lost_dog: Search,
  other: TriangleAlert,
};
