import type { BrowserContext, Page } from '@playwright/test';

/** A device action of a page with its time in milliseconds of the page's clock. */
export type RecordedAction = { at: number } & (
  | { what: 'speak'; text: string; rate: number; pitch: number; volume: number }
  | { what: 'vibrate'; pattern: number[] }
  | { what: 'notify'; title: string; body: string; isUrgent: boolean }
  | { what: 'tone'; hertz: number[] }
);

/** The duration of simulated speech. */
const SPEECH_MS = 300;

/**
 * Records the speech, vibration, notifications and tones of a browser's pages. Only the
 * device is simulated. Like browsers, it is silent before the first gesture.
 * @param notifications the permission for notifications
 */
export async function record(
  context: BrowserContext,
  notifications: NotificationPermission = 'granted',
): Promise<void> {
  await context.addInitScript(
    ({ permission, speechMs }) => {
      const actions: object[] = [];
      const recordAction = (action: object) => actions.push({ at: Date.now(), ...action });
      Object.assign(globalThis, { actions });

      // Playwright's own looks at a page count as gestures; here only real ones do.
      let touched = false;
      for (const gesture of ['pointerdown', 'keydown'])
        addEventListener(gesture, (event) => (touched ||= event.isTrusted), true);
      Object.defineProperty(Navigator.prototype, 'userActivation', {
        get: () => ({ hasBeenActive: touched, isActive: touched }),
      });
      const state = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'state')?.get;
      Object.defineProperty(BaseAudioContext.prototype, 'state', {
        get() {
          return touched ? state?.call(this) : 'suspended';
        },
      });
      const resume = AudioContext.prototype.resume;
      AudioContext.prototype.resume = function resumeWhenTouched() {
        return touched ? resume.call(this) : new Promise(() => {});
      };

      let ending: ReturnType<typeof setTimeout> | undefined;
      const synthesis = {
        speaking: false,
        pending: false,
        resume() {},
        cancel() {
          clearTimeout(ending);
          this.speaking = false;
        },
        speak(utterance: SpeechSynthesisUtterance) {
          if (!touched) {
            setTimeout(() =>
              utterance.onerror?.({ error: 'not-allowed' } as SpeechSynthesisErrorEvent),
            );
            return;
          }
          const { text } = utterance;
          // Utterances keep single precision: 0.8 comes back as 0.800000011920929.
          const [rate, pitch, volume] = [utterance.rate, utterance.pitch, utterance.volume].map(
            (value) => Number(value.toFixed(3)),
          );
          if (text) recordAction({ what: 'speak', text, rate, pitch, volume });
          this.speaking = true;
          setTimeout(() => utterance.onstart?.({} as SpeechSynthesisEvent));
          ending = setTimeout(() => {
            this.speaking = false;
            utterance.onend?.({} as SpeechSynthesisEvent);
          }, speechMs);
        },
      };
      Object.defineProperty(globalThis, 'speechSynthesis', { value: synthesis });

      Navigator.prototype.vibrate = (pattern) => {
        recordAction({ what: 'vibrate', pattern });
        return true;
      };

      class Notified extends EventTarget {
        static permission = permission;
        static requestPermission() {
          recordAction({ what: 'ask' });
          Notified.permission = 'granted';
          return Promise.resolve('granted');
        }
        constructor(title: string, options: NotificationOptions) {
          super();
          recordAction({
            what: 'notify',
            title,
            body: options.body,
            isUrgent: options.requireInteraction === true,
          });
        }
        close() {}
      }
      Object.defineProperty(globalThis, 'Notification', { value: Notified });

      const create = AudioContext.prototype.createOscillator;
      AudioContext.prototype.createOscillator = function createOscillator() {
        const oscillator = create.call(this);
        const hertz: number[] = [];
        const set = oscillator.frequency.setValueAtTime.bind(oscillator.frequency);
        oscillator.frequency.setValueAtTime = (value, at) => {
          hertz.push(value);
          return set(value, at);
        };
        const start = oscillator.start.bind(oscillator);
        oscillator.start = (at) => {
          recordAction({ what: 'tone', hertz });
          start(at);
        };
        return oscillator;
      };
    },
    { permission: notifications, speechMs: SPEECH_MS },
  );
}

/** The actions of a page so far. */
export const actionsOf = (page: Page): Promise<RecordedAction[]> =>
  page.evaluate(() => (globalThis as unknown as { actions: RecordedAction[] }).actions);

/** The texts that a page has spoken so far. */
export async function spokenBy(page: Page): Promise<string[]> {
  const actions = await actionsOf(page);
  return actions.flatMap((action) => (action.what === 'speak' ? [action.text] : []));
}
