import type { EmergencyAlert } from '#shared/alerts/contract.ts';
import { isSevere } from '#shared/alerts/rules.ts';
import { PATTERNS } from '../../platform/vibration.ts';
import type { Notice } from '../proximity/output/notifications.ts';
import type { Clock } from '../proximity/tracking/tracker.ts';

const AGAIN_MS = 1000;
const STAGGER_MS = 500;

export interface AnnouncerOutputs {
  /** @param pattern milliseconds on, off, on … */
  vibrate: (pattern: readonly number[]) => void;
  /** Plays the sound of a severe alert, if the owner's settings allow it. */
  sound: () => void;
  /** @returns how to close the notification */
  notify: (notice: Notice) => () => void;
}

/** Which alerts this device has announced already, at which severity. */
export interface Announced {
  has: (key: string) => boolean;
  add: (keys: string[]) => void;
}

const keyOf = ({ id, severity }: EmergencyAlert) => `${id} ${severity}`;

/** Announces each alert once by vibration, sound and notification, and again if its severity increases. */
export class AlertAnnouncer {
  readonly #outputs: AnnouncerOutputs;
  readonly #clock: Clock;
  readonly #announced: Announced;
  /** Alerts announced by this object, in case the device's storage is full. */
  readonly #own = new Set<string>();
  readonly #notices = new Map<string, () => void>();
  readonly #pending = new Set<() => void>();

  constructor(outputs: AnnouncerOutputs, clock: Clock, announced: Announced) {
    this.#outputs = outputs;
    this.#clock = clock;
    this.#announced = announced;
  }

  /** @param shown the active, unacknowledged alerts, most severe first */
  update(shown: readonly EmergencyAlert[]): void {
    const ids = new Set(shown.map(({ id }) => id));
    for (const [id, close] of this.#notices)
      if (!ids.has(id)) {
        close();
        this.#notices.delete(id);
      }
    const fresh = shown.filter((alert) => {
      const key = keyOf(alert);
      return !this.#own.has(key) && !this.#announced.has(key);
    });
    if (fresh.length === 0) return;
    const keys = fresh.map(keyOf);
    for (const key of keys) this.#own.add(key);
    this.#announced.add(keys);
    const severe = fresh.filter(isSevere);
    const others = fresh.filter((alert) => !isSevere(alert));
    if (severe.length > 0) this.#announceSevere(severe);
    if (others.length > 0) this.#announceOthers(others, severe.length > 0);
  }

  close(): void {
    for (const cancel of this.#pending) cancel();
    this.#pending.clear();
  }

  #announceSevere(alerts: EmergencyAlert[]) {
    this.#outputs.vibrate(PATTERNS.alert);
    this.#after(AGAIN_MS, () => this.#outputs.vibrate(PATTERNS.alert));
    this.#outputs.sound();
    for (const [index, alert] of alerts.entries())
      this.#after(index * STAGGER_MS, () => this.#notify(alert, true));
  }

  #announceOthers(alerts: EmergencyAlert[], hasVibrated: boolean) {
    if (!hasVibrated) this.#outputs.vibrate(PATTERNS.default);
    const [only, ...more] = alerts;
    if (only && more.length === 0) this.#notify(only, false);
    else
      this.#outputs.notify({
        title: `${alerts.length} new alerts in your area`,
        body: alerts.map(({ title }) => title).join(', '),
        tag: 'alerts',
        urgent: false,
      });
  }

  #notify(alert: EmergencyAlert, urgent: boolean) {
    const { id, title, instructions, description } = alert;
    const close = this.#outputs.notify({
      title,
      body: instructions ?? description,
      tag: `alert:${id}`,
      urgent,
    });
    this.#notices.set(id, close);
  }

  #after(milliseconds: number, run: () => void) {
    const cancel = this.#clock.after(milliseconds, () => {
      this.#pending.delete(cancel);
      run();
    });
    this.#pending.add(cancel);
  }
}
