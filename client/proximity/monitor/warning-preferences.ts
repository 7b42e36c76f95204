import type { Settings } from '#shared/settings/document.ts';
import type { QuietPlace } from '#shared/settings/rules.ts';
import type { OwnSound } from '../output/alert-outputs.ts';

/** The owner's settings that affect warnings, from their documents. */
export interface WarningPreferences {
  sharing: boolean;
  /** Names of the owner's dogs that need space. */
  ownWary: string[];
  settings: Settings;
  quietPlaces: readonly QuietPlace[];
  ownSound: OwnSound;
}
