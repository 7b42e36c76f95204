import { dropLocation } from '#shared/proximity/contract.ts';
import type { LeadingTab } from '../../../platform/events/leading-tab.ts';
import { call } from '../../../platform/http/api.ts';
import { isLogoutPending } from '../../../platform/session/remembered-user.ts';
import { Store } from '../../../platform/store.ts';
import { AcknowledgedAlerts } from '../alerts/acknowledged-alerts.ts';
import type { ShownAlert } from '../alerts/shown-alert.ts';
import { WalkSilences } from '../alerts/walk-silences.ts';
import type { Fix } from '../tracking/tracker.ts';
import {
  type AlertAction,
  ProximityMonitor,
  type WarningPreferences,
} from './proximity-monitor.ts';
import { OFF, type ProximityState } from './proximity-state.ts';

/** The state of warnings in one tab: its own if it leads, otherwise the leading tab's. */
export interface TabState extends ProximityState {
  /** Null until known: this tab hasn't been elected, and no leading tab has answered. */
  leads: boolean | null;
}

/** Warnings in one tab: runs the monitor while the tab leads, else mirrors the leading tab's state. */
export class ProximityTab extends Store {
  readonly #userId: string;
  readonly #name: string;
  readonly #tab: LeadingTab;
  readonly #fixes = new Store<[fix: Fix]>();
  #state: TabState = { ...OFF, leads: null };
  #preferences: WarningPreferences | null = null;
  #channel: BroadcastChannel | null = null;
  #stopListening: (() => void) | null = null;
  #monitor: ProximityMonitor | null = null;
  /** The previous leader's state, until this tab knows whether the owner shares their location. */
  #before: ProximityState | null = null;

  constructor(userId: string, tab: LeadingTab) {
    super();
    this.#userId = userId;
    this.#tab = tab;
    this.#name = `leashwise-proximity-${userId}`;
  }

  readonly getState = (): TabState => this.#state;

  /** Subscribes to the device's positions; only the leading tab has them. @returns how to unsubscribe */
  readonly onFix = this.#fixes.subscribe;

  start(): void {
    const channel = new BroadcastChannel(this.#name);
    this.#channel = channel;
    channel.addEventListener('message', this.#receive);
    this.#stopListening = this.#tab.onLeads(() => this.#arrange());
    this.#arrange();
    this.#post({ type: 'ask' });
  }

  stop(): void {
    this.#stopListening?.();
    this.#stopListening = null;
    this.#arrange();
    this.#channel?.close();
    this.#channel = null;
  }

  /** Sets the preferences from the owner's documents; nothing is reported before the first call. */
  setPreferences(preferences: WarningPreferences): void {
    const turnedOff = this.#preferences?.sharing === true && !preferences.sharing;
    this.#preferences = preferences;
    // The walk has ended, here or on another device.
    if (!preferences.sharing) new WalkSilences(this.#userId).clear();
    this.#arrange();
    if (!preferences.sharing) new AcknowledgedAlerts(this.#userId).write([]);
    this.#monitor?.review();
    if (turnedOff && this.#leads)
      call(dropLocation).catch((error: unknown) => {
        // The server also deletes it when it receives the changed setting.
        console.warn('Failed to delete the position', error);
      });
  }

  /** Does to alerts what the owner wants, in the leading tab. */
  act(action: AlertAction): void {
    if (this.#monitor) this.#monitor.act(action);
    else this.#post({ type: 'act', action });
  }

  /** Tries again to find and to report the position. */
  retry(): void {
    if (!this.#monitor) return this.#post({ type: 'retry' });
    this.#closeMonitor();
    this.#arrange();
  }

  get #leads(): boolean {
    return this.#stopListening !== null && this.#tab.leads;
  }

  /** Starts or stops the monitor as leadership and preferences require. */
  #arrange() {
    const leads = this.#leads;
    const preferences = this.#preferences;
    if (!preferences?.sharing) this.#closeMonitor();
    else if (!leads) this.#leaveMonitor();
    if (leads && preferences?.sharing)
      this.#monitor ??= new ProximityMonitor({
        onEvent: this.#tab.onEvent,
        mistrustEvents: this.#tab.mistrust,
        preferences: () => this.#preferences ?? preferences,
        onFix: this.#fixes.notify,
        silences: new WalkSilences(this.#userId),
        acknowledged: new AcknowledgedAlerts(this.#userId),
        before: this.#before ?? this.#state,
        onChange: (state) => {
          this.#show({ ...state, leads: true });
          this.#post({ type: 'state', state });
        },
      });
    // Keeps the previous state: a new tab may lead before its documents are loaded.
    else if (leads && !preferences && this.#state.status !== 'off') {
      this.#before ??= this.#state;
      this.#show({ ...this.#state, status: 'starting', leads });
      return;
    } else if (leads) {
      this.#show({ ...OFF, leads });
      this.#post({ type: 'state', state: OFF });
    } else this.#show({ ...this.#state, leads: this.#state.leads === null ? null : false });
    this.#before = null;
  }

  #closeMonitor() {
    this.#monitor?.close();
    this.#monitor = null;
  }

  /** Stops without the owner's doing, so the owner is notified, except when signing out. */
  #leaveMonitor() {
    if (isLogoutPending()) return this.#closeMonitor();
    this.#monitor?.leave(() => isAnotherLeading(this.#name));
    this.#monitor = null;
  }

  readonly #receive = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'state' && !this.#leads)
      this.#show({ ...data.state, alerts: data.state.alerts.map(complete), leads: false });
    if (!this.#leads) return;
    if (data.type === 'ask') {
      const { leads: _, ...state } = this.#state;
      this.#post({ type: 'state', state });
    }
    if (data.type === 'act') this.act(data.action);
    if (data.type === 'retry') this.retry();
  };

  #post(message: TabMessage) {
    this.#channel?.postMessage(message);
  }

  #show(state: TabState) {
    if (isSame(state, this.#state)) return;
    this.#state = state;
    this.notify();
  }
}

/** Compares all properties by identity. */
const isSame = (one: TabState, other: TabState): boolean =>
  (Object.keys({ ...one, ...other }) as (keyof TabState)[]).every((key) => one[key] === other[key]);

/** Fields that alerts of a tab with an earlier version of the app lack. */
type NewFields = 'brief' | 'receivedAt' | 'answers' | 'answeredAt' | 'answeredAdvice';
type SentAlert = Omit<ShownAlert, NewFields> & Partial<Pick<ShownAlert, NewFields>>;

const complete = (alert: SentAlert): ShownAlert => ({
  brief: alert.names,
  receivedAt: Date.now(),
  answers: { theirs: null, own: null },
  answeredAt: { theirs: null, own: null },
  answeredAdvice: null,
  ...alert,
});

/** Messages about warnings between the tabs of a browser. */
type TabMessage =
  /** A new tab asks for the current state. */
  | { type: 'ask' }
  | { type: 'state'; state: Omit<ProximityState, 'alerts'> & { alerts: SentAlert[] } }
  | { type: 'act'; action: AlertAction }
  | { type: 'retry' };

const ANSWERS_WITHIN_MS = 500;

/** Asks the tabs of this browser whether one of them leads. @param name of the BroadcastChannel */
function isAnotherLeading(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(name);
    const settle = (isLed: boolean) => {
      clearTimeout(timer);
      channel.close();
      resolve(isLed);
    };
    const timer = setTimeout(() => settle(false), ANSWERS_WITHIN_MS);
    channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
      if (data.type === 'state') settle(true);
    });
    channel.postMessage({ type: 'ask' } satisfies TabMessage);
  });
}
