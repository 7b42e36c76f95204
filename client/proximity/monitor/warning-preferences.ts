import type { Settings } from '#shared/settings/document.ts';
import type { QuietPlace } from '#shared/settings/rules.ts';
import type { OwnSound } from '../output/alert-outputs.ts';

/** What the owner's documents say of warnings. */
export interface WarningPreferences {
  sharing: boolean;
  /** Names of the owner's dogs that need space. */
  ownWary: string[];
  settings: Settings;
  quietPlaces: readonly QuietPlace[];
  ownSound: OwnSound;
}
