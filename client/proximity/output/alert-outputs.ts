import type { SoundType } from '#shared/dogs/contract.ts';
import type { Settings } from '#shared/settings/document.ts';
import { vibrate } from '../../vibration.ts';
import { notify, type Notice } from './notifications.ts';
import { stopSound, playSoundType, speakAs } from './audio.ts';

/** Where alerts go. Whatever cannot be done there resolves at once and never throws. */
export interface AlertOutputs {
  /** The alert sound; resolves when it has ended, or was hushed. */
  play: (type: SoundType) => Promise<unknown>;
  /** Resolves when all is said, or hushed. */
  speak: (type: SoundType, text: string) => Promise<unknown>;
  stopSound: () => void;
  /** @param pattern milliseconds on, off, on … */
  vibrate: (pattern: readonly number[]) => void;
  /** @returns how to take the notice away */
  notify: (notice: Notice) => () => void;
}

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
    stopSound,
    vibrate: (pattern) => {
      if (settings().vibration) vibrate(pattern);
    },
    notify,
  };
}
