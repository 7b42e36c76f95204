import type { EmergencyAlert } from '#shared/alerts/contract.ts';
import { isSevere } from '#shared/alerts/rules.ts';
import type { Clock } from '../proximity/tracking/clock.ts';
import type { Notice } from '../proximity/output/notifications.ts';
import { PATTERNS } from '../vibration.ts';

const AGAIN_MS = 1000;
const STAGGER_MS = 500;

export interface AnnouncerOutputs {
  /** @param pattern milliseconds on, off, on … */
  vibrate: (pattern: readonly number[]) => void;
  /** The sound of a severe alert, where its owner wants it. */
  sound: () => void;
  /** @returns how to take the notice away */
  notify: (notice: Notice) => () => void;
}

/** Which alerts this device has announced already, at which severity. */
export interface Announced {
  has: (key: string) => boolean;
  add: (keys: string[]) => void;
}

const keyOf = ({ id, severity }: EmergencyAlert) => `${id} ${severity}`;

/** Makes each alert felt, heard and notified once, and again should it become graver. */
export class AlertAnnouncer {
  readonly #outputs: AnnouncerOutputs;
  readonly #clock: Clock;
  readonly #announced: Announced;
  /** What it announced itself: a device that is full remembers nothing. */
  readonly #own = new Set<string>();
  readonly #notices = new Map<string, () => void>();
  readonly #pending = new Set<() => void>();

  constructor(outputs: AnnouncerOutputs, clock: Clock, announced: Announced) {
    this.#outputs = outputs;
    this.#clock = clock;
    this.#announced = announced;
  }

  /** @param shown the alerts that hold and are not acknowledged, the gravest first */
  hear(shown: readonly EmergencyAlert[]): void {
    const ids = new Set(shown.map(({ id }) => id));
    for (const [id, takeAway] of this.#notices)
      if (!ids.has(id)) {
        takeAway();
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

  #announceOthers(alerts: EmergencyAlert[], isFelt: boolean) {
    if (!isFelt) this.#outputs.vibrate(PATTERNS.default);
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
    const takeAway = this.#outputs.notify({
      title,
      body: instructions ?? description,
      tag: `alert:${id}`,
      urgent,
    });
    this.#notices.set(id, takeAway);
  }

  #after(milliseconds: number, run: () => void) {
    const cancel = this.#clock.after(milliseconds, () => {
      this.#pending.delete(cancel);
      run();
    });
    this.#pending.add(cancel);
  }
}
