import type { SoundType } from '#shared/dogs/contract.ts';
import type { Settings } from '#shared/settings/document.ts';
import { vibrate } from '../vibration.ts';
import type { AlertOutputs } from './alerts.ts';
import { notify } from './notifications.ts';
import { hush, playSoundType, speakAs } from './sound.ts';

/** The owner's own recording for a type, as a file's bytes; null where the usual sound is played. */
export type OwnSound = (type: SoundType) => ArrayBuffer | null;

/** What this device can do to warn, as its owner wishes it now. */
export function deviceOutputs(settings: () => Settings, ownSound: OwnSound): AlertOutputs {
  return {
    play: async (type) => {
      const { sounds, volume } = settings();
      return sounds && playSoundType(type, volume, ownSound(type));
    },
    speak: async (type, text) => {
      const { speech, volume } = settings();
      return speech && speakAs(type, text, volume);
    },
    hush,
    vibrate: (pattern) => {
      if (settings().vibration) vibrate(pattern);
    },
    notify,
  };
}
