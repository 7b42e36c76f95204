import {
  Dog,
  GlassWater,
  PawPrint,
  Skull,
  ThermometerSun,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import type { HazardKind } from '#shared/hazards/rules.ts';

export const HAZARD_ICONS: Record<HazardKind, LucideIcon> = {
  glass: GlassWater,
  poison: Skull,
  aggressive_dog: Dog,
  heat: ThermometerSun,
  lost_dog: PawPrint,
  other: TriangleAlert,
};
