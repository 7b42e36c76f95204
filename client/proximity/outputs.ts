import type { AlertOutputs } from './alerts.ts';
import { notify } from './notifications.ts';
import { DEFAULT_VOLUME, playSoundType, speakAs } from './sound.ts';
import { hush } from './speech.ts';

/** What this device can do to warn. @param volume 0 to 1 */
export function deviceOutputs(volume = DEFAULT_VOLUME): AlertOutputs {
  return {
    play: (type) => playSoundType(type, volume),
    speak: (type, text) => speakAs(type, text, volume),
    hush,
    vibrate: (pattern) => {
      // Not there on iPhones; and refused before the first tap, which is no error.
      if ('vibrate' in navigator) navigator.vibrate(pattern);
    },
    notify,
  };
}
