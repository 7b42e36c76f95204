import { unitsOf, type UnitChoice, type Units } from '#shared/units.ts';
import { useSettings } from './use-settings.ts';

/** Returns the units for a choice, on this device. */
export const unitsFor = ({ units }: { units: UnitChoice }): Units =>
  unitsOf(units, globalThis.navigator?.language);

/** Returns the owner's units; those of the device's region for someone who isn't signed in. */
export const useUnits = (): Units => unitsFor(useSettings().settings);
