import {
  dropLocation,
  reportLocation,
  type LocationAnswer,
  type NearbyUser,
} from '#shared/proximity/contract.ts';
import type { ServerEvent } from '#shared/events/contract.ts';
import { POLL_SECONDS, STALE_SECONDS } from '#shared/proximity/rules.ts';
import { isQuiet } from '#shared/settings/rules.ts';
import { call } from '../../http/api.ts';
import { CallError } from '../../http/api-client.ts';
import { AlertController, OVER_AFTER_MS } from '../alerts/alert-controller.ts';
import { deviceClock } from '../tracking/clock.ts';
import { deviceOutputs } from '../output/alert-outputs.ts';
import { watchPosition, type PositionTrouble } from '../tracking/watch-position.ts';
import { OFF, type ProximityState, type TrackingStatus } from './proximity-state.ts';
import { Tracker } from '../tracking/tracker.ts';
import type { TrackerState } from '../tracking/tracker-dependencies.ts';
import { keepScreenOn } from '../output/wake-lock.ts';
import { Watchdog } from './watchdog.ts';
import type { WarningPreferences } from './warning-preferences.ts';

/** Out of sight, and without an answer for longer than this: warnings were paused. */
const PAUSED_AFTER_MS = (POLL_SECONDS + 15) * 1000;
const PAUSE_NOTE_MS = 30_000;
const DROP_MS = 10_000;
/** So long our server may take to hear of the switch that was turned on. */
const HEARS_WITHIN_MS = 10_000;
const NOT_HEARD = 'Our server doesn’t know yet that you’re sharing your location.';

/**
 * Warns, for as long as it is not closed: follows this device's position, reports it, and turns answers
 * and events into alerts. One tab of a browser has one, while its owner shares their location.
 */
export class ProximityMonitor {
  #onChange: (state: ProximityState) => void;
  readonly #tracker: Tracker;
  readonly #alerts: AlertController;
  readonly #watchdog: Watchdog;
  readonly #position: ReturnType<typeof watchPosition>;
  readonly #stops: (() => void)[] = [];
  #state: ProximityState;
  #trouble: PositionTrouble | null = null;
  #failure: unknown = null;
  #failingSince: number | null = null;
  /** Since when the server answers that sharing is off. */
  #unheardSince: number | null = null;
  /** Why the server can warn nobody by the position that it was told last; null if it can. */
  #unusable: 'rough' | 'unconfirmed' | null = null;
  #hiddenAt: number | null = null;
  #cancelForget = () => {};
  #cancelNote = () => {};

  /**
   * @param options.onEvent gives what the server tells; answers how to stop it
   * @param options.mistrustEvents has them come another way if nothing was heard since then, by the clock
   * @param options.wishes the owner's, as they are now; `review` tells that they changed
   * @param options.before what another tab, or the lookout before, knew and warned of: it goes on here
   */
  constructor(options: {
    onEvent: (listener: (event: ServerEvent) => void) => () => void;
    mistrustEvents: (silentSince: number) => void;
    wishes: () => WarningPreferences;
    before: ProximityState;
    onChange: (state: ProximityState) => void;
  }) {
    const { wishes } = options;
    const { dismissed, stopped } = options.before;
    const { alerts, nearby, heardAt } = isOfNow(options.before) ? options.before : OFF;
    this.#state = { ...OFF, status: 'starting', dismissed, stopped, nearby, heardAt };
    this.#onChange = options.onChange;
    const outputs = deviceOutputs(
      () => wishes().settings,
      (type) => wishes().ownSound(type),
    );
    this.#watchdog = new Watchdog(outputs, deviceClock, options.before, () => this.#update({}));
    this.#forgetLater();
    this.#alerts = new AlertController({
      outputs,
      clock: deviceClock,
      radiusFeet: () => wishes().settings.alert_radius_feet,
      ownWary: () => wishes().ownWary,
      alerts,
      dismissed,
      onChange: (alerts, dismissed) => this.#update({ alerts, dismissed }),
    });
    const device = crypto.randomUUID();
    let sequence = 0;
    const order = () => ({ device, sequence: ++sequence });
    this.#tracker = new Tracker({
      ...deviceClock,
      post: (report, signal) => {
        const radius_feet = wishes().settings.alert_radius_feet;
        return call(reportLocation, { body: { ...report, radius_feet, ...order() }, signal });
      },
      isQuiet: (fix) => isQuiet(fix, wishes().quietPlaces),
      drop: () => call(dropLocation, { query: order(), signal: AbortSignal.timeout(DROP_MS) }),
      requestFix: () => this.#position.request(),
      answered: (answer) => this.#hearAnswer(answer),
      failed: (error) => {
        this.#failure = error;
        if (isUnheard(error)) this.#unheardSince ??= Date.now();
        this.#updateStatus();
        return error instanceof CallError ? error.retryAfter : null;
      },
      changed: (state) => {
        if (state === 'quiet') this.#fallSilent();
        // What kept reports from getting through may have cut off the events, which nobody tells.
        if (state === 'offline') this.#failingSince ??= Date.now();
        if (state === 'active' && this.#failingSince !== null) {
          options.mistrustEvents(this.#failingSince);
          this.#failingSince = null;
        }
        this.#updateStatus();
      },
    });
    this.#position = watchPosition({
      fix: (fix) => {
        this.#trouble = null;
        this.#tracker.fix(fix);
        this.#updateStatus();
      },
      trouble: (trouble) => {
        this.#trouble = trouble;
        this.#updateStatus();
      },
    });
    this.#stops.push(options.onEvent((event) => this.#hearEvent(event)));
    this.#stops.push(keepScreenOn((screen) => this.#update({ screen })));
    document.addEventListener('visibilitychange', this.#look);
    addEventListener('online', this.hurry);
    addEventListener('offline', this.#updateStatus);
    this.#tracker.start();
    this.#onChange(this.#state);
  }

  /** Tries everything again now. */
  readonly hurry = (): void => {
    this.#position.request();
    this.#tracker.hurry();
  };

  /** The owner's wishes have changed. */
  review(): void {
    this.#tracker.review();
  }

  dismiss(userIds: string[]): void {
    for (const userId of userIds) this.#alerts.dismiss(userId);
  }

  /** As `close`, without its owner's wish. @param goesOn whether another tab leads by now */
  leave(goesOn: () => Promise<boolean>): void {
    this.close();
    this.#watchdog.leave(goesOn);
  }

  close(): void {
    this.#onChange = () => {};
    for (const stop of this.#stops) stop();
    document.removeEventListener('visibilitychange', this.#look);
    removeEventListener('online', this.hurry);
    removeEventListener('offline', this.#updateStatus);
    this.#cancelForget();
    this.#cancelNote();
    this.#position.stop();
    this.#tracker.stop();
    this.#alerts.close();
    this.#watchdog.close();
  }

  readonly #look = () => {
    if (document.visibilityState === 'hidden') {
      this.#hiddenAt = Date.now();
      return;
    }
    if (this.#silentMs() > PAUSED_AFTER_MS) this.#update({ status: 'paused' });
    // What was said out of sight: whether there is no position now either, the device says in a moment.
    if (this.#trouble === 'lost') this.#trouble = null;
    this.hurry();
  };

  /** How long this page has been out of sight and without an answer. */
  #silentMs(): number {
    if (this.#hiddenAt === null) return 0;
    return Date.now() - Math.max(this.#hiddenAt, this.#state.heardAt ?? 0);
  }

  /** In a quiet place nobody is heard of either. */
  #fallSilent() {
    this.#cancelForget();
    this.#alerts.clear();
    this.#update({ nearby: null, heardAt: null });
  }

  #hearAnswer({ nearbyUsers, is_too_rough, is_unconfirmed }: LocationAnswer) {
    if (this.#tracker.state === 'quiet') return;
    this.#unusable = is_too_rough ? 'rough' : is_unconfirmed ? 'unconfirmed' : null;
    const silent = this.#silentMs();
    if (document.visibilityState === 'visible') this.#hiddenAt = null;
    this.#failure = null;
    this.#unheardSince = null;
    this.#forgetLater();
    this.#update({
      status: this.#unusable ?? 'active',
      problem: null,
      nearby: this.#unusable ? null : nearestFirst(nearbyUsers),
      heardAt: Date.now(),
    });
    if (silent > PAUSED_AFTER_MS) this.#notePause(silent);
    // An answer to such a position says of nobody that they have gone.
    if (!this.#unusable) this.#alerts.hearAnswer(nearbyUsers);
  }

  /** What was heard holds for so long, and no longer. */
  #forgetLater() {
    this.#cancelForget();
    this.#cancelForget = deviceClock.after(STALE_SECONDS * 1000, () =>
      this.#update({ nearby: null }),
    );
  }

  #notePause(pausedMs: number) {
    this.#cancelNote();
    this.#cancelNote = deviceClock.after(PAUSE_NOTE_MS, () => this.#update({ pausedMs: null }));
    this.#update({ pausedMs });
  }

  #hearEvent(event: ServerEvent) {
    if (event.type === 'cadence') this.#tracker.cadence(event.next_update_seconds);
    if (event.type !== 'encounter' || this.#tracker.state === 'quiet') return;
    const { user } = event;
    const others = this.#state.nearby?.filter((other) => other.user_id !== user.user_id) ?? [];
    this.#update({ nearby: nearestFirst([...others, user]) });
    this.#alerts.hearEncounter(user);
  }

  readonly #updateStatus = () => {
    const told = this.#told();
    const status = told === 'active' ? (this.#unusable ?? told) : told;
    const isCatchingUp = status === 'active' || (status === 'lost' && this.#trouble === null);
    if (this.#state.status === 'paused' && isCatchingUp) return;
    this.#update({ status, problem: status === 'failing' ? problemOf(this.#failure) : null });
  };

  #told(): TrackingStatus {
    const told = statusOf(this.#tracker.state, this.#trouble, this.#failure);
    const isLate = Math.abs(Date.now() - (this.#unheardSince ?? Date.now())) >= HEARS_WITHIN_MS;
    // The switch was turned on a moment ago, and the server has not heard of it yet.
    return told === 'failing' && isUnheard(this.#failure) && !isLate ? 'starting' : told;
  }

  #update(change: Partial<ProximityState>) {
    this.#state = { ...this.#state, ...change };
    this.#watchdog.see(this.#state.status);
    const { stopped } = this.#watchdog;
    if (stopped !== this.#state.stopped) this.#state = { ...this.#state, stopped };
    this.#onChange(this.#state);
  }
}

/** Whether what a tab showed still holds: it may have been put to sleep, or have ended, long ago. */
const isOfNow = ({ heardAt }: ProximityState): boolean =>
  heardAt !== null && Math.abs(Date.now() - heardAt) < OVER_AFTER_MS;

const isUnheard = (failure: unknown): boolean =>
  failure instanceof CallError && failure.code === 'sharing_off';

function problemOf(failure: unknown): string | null {
  if (isUnheard(failure)) return NOT_HEARD;
  return failure instanceof CallError && failure.status > 0 ? failure.message : null;
}

const nearestFirst = (users: NearbyUser[]) =>
  users.toSorted((a, b) => a.distance_feet - b.distance_feet);

function statusOf(
  tracker: TrackerState,
  trouble: PositionTrouble | null,
  failure: unknown,
): TrackingStatus {
  if (trouble === 'denied' || trouble === 'unsupported') return trouble;
  if (tracker === 'quiet') return 'quiet';
  if (!navigator.onLine) return 'offline';
  if (tracker === 'active') return 'active';
  if (tracker === 'no-fix') return 'lost';
  if (tracker !== 'offline') return trouble ?? 'starting';
  return failure instanceof CallError && failure.status > 0 ? 'failing' : 'offline';
}
