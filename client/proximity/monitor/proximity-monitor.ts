import {
  dropLocation,
  reportLocation,
  type LocationAnswer,
  type NearbyUser,
} from '#shared/proximity/contract.ts';
import type { ServerEvent } from '#shared/events/contract.ts';
import { POLL_SECONDS, STALE_SECONDS } from '#shared/proximity/rules.ts';
import { isQuiet, type QuietPlace } from '#shared/settings/rules.ts';
import { call } from '../../http/api.ts';
import { CallError } from '../../http/api-client.ts';
import { AlertController, OVER_AFTER_MS } from '../alerts/alert-controller.ts';
import {
  deviceClock,
  Tracker,
  type Fix,
  type TrackerState,
  type Clock,
} from '../tracking/tracker.ts';
import { deviceOutputs, type OwnSound, type AlertOutputs } from '../output/alert-outputs.ts';
import { watchPosition, type PositionTrouble } from '../tracking/watch-position.ts';
import {
  OFF,
  type ProximityState,
  type TrackingStatus,
  type Stopped,
  STATUS_TEXTS,
} from './proximity-state.ts';
import { followUsers, type FollowedUser } from './trend.ts';
import { keepScreenOn } from '../output/wake-lock.ts';
import type { Settings } from '#shared/settings/document.ts';
import { PRODUCT } from '../../product.ts';

/** The owner's settings that affect warnings, from their documents. */
export interface WarningPreferences {
  sharing: boolean;
  /** Names of the owner's dogs that need space. */
  ownWary: string[];
  settings: Settings;
  quietPlaces: readonly QuietPlace[];
  ownSound: OwnSound;
}

/** In the background without an answer for longer than this, warnings count as paused. */
const PAUSED_AFTER_MS = (POLL_SECONDS + 15) * 1000;
const PAUSE_NOTE_MS = 30_000;
const DROP_MS = 10_000;
/** How long the server may take to receive the sharing setting after it was turned on. */
const SHARING_GRACE_MS = 10_000;
const SHARING_UNKNOWN = 'Our server doesn’t know yet that you’re sharing your location.';

/**
 * Tracks this device's position, reports it, and turns answers and events into alerts until it is closed.
 * Only the leading tab of a browser has one, while the owner shares their location.
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
  /** Since when the server has answered that sharing is off. */
  #unknownSince: number | null = null;
  /** Why the server can't warn anyone with the last reported position; null if it can. */
  #unusable: 'rough' | 'unconfirmed' | null = null;
  #hiddenAt: number | null = null;
  #cancelForget = () => {};
  #cancelNote = () => {};

  /**
   * @param options.onEvent subscribes to server events; returns how to unsubscribe
   * @param options.mistrustEvents reconnects the event stream if nothing was received since then, in milliseconds
   * @param options.preferences returns the current preferences; call `review` after a change
   * @param options.onFix called with each position of the device
   * @param options.before the state of the previous monitor, in this tab or another, to continue from
   */
  constructor(options: {
    onEvent: (listener: (event: ServerEvent) => void) => () => void;
    mistrustEvents: (silentSince: number) => void;
    preferences: () => WarningPreferences;
    onFix: (fix: Fix) => void;
    before: ProximityState;
    onChange: (state: ProximityState) => void;
  }) {
    const { preferences } = options;
    const { dismissed, stopped } = options.before;
    const { alerts, nearby, receivedAt } = isOfNow(options.before) ? options.before : OFF;
    this.#state = { ...OFF, status: 'starting', dismissed, stopped, nearby, receivedAt };
    this.#onChange = options.onChange;
    const outputs = deviceOutputs(
      () => preferences().settings,
      (type) => preferences().ownSound(type),
    );
    this.#watchdog = new Watchdog(outputs, deviceClock, options.before, () => this.#update({}));
    this.#forgetLater();
    this.#alerts = new AlertController({
      outputs,
      clock: deviceClock,
      radiusFeet: () => preferences().settings.alert_radius_feet,
      ownWary: () => preferences().ownWary,
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
        const radius_feet = preferences().settings.alert_radius_feet;
        return call(reportLocation, { body: { ...report, radius_feet, ...order() }, signal });
      },
      isQuiet: (fix) => isQuiet(fix, preferences().quietPlaces),
      drop: () => call(dropLocation, { query: order(), signal: AbortSignal.timeout(DROP_MS) }),
      requestFix: () => this.#position.request(),
      answered: (answer) => this.#receiveAnswer(answer),
      failed: (error) => {
        this.#failure = error;
        if (isSharingUnknown(error)) this.#unknownSince ??= Date.now();
        this.#updateStatus();
        return error instanceof CallError ? error.retryAfter : null;
      },
      changed: (state) => {
        if (state === 'quiet') this.#fallSilent();
        // What blocked the reports may have silently broken the event stream, too.
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
        options.onFix(fix);
        this.#updateStatus();
      },
      trouble: (trouble) => {
        this.#trouble = trouble;
        this.#updateStatus();
      },
    });
    this.#stops.push(options.onEvent((event) => this.#receiveEvent(event)));
    this.#stops.push(keepScreenOn((screen) => this.#update({ screen })));
    document.addEventListener('visibilitychange', this.#onVisibilityChange);
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

  /** Applies changed preferences. */
  review(): void {
    this.#tracker.review();
  }

  dismiss(userIds: string[]): void {
    for (const userId of userIds) this.#alerts.dismiss(userId);
  }

  /** Closes it without the owner's doing. @param goesOn whether another tab has taken over */
  leave(goesOn: () => Promise<boolean>): void {
    this.close();
    this.#watchdog.leave(goesOn);
  }

  close(): void {
    this.#onChange = () => {};
    for (const stop of this.#stops) stop();
    document.removeEventListener('visibilitychange', this.#onVisibilityChange);
    removeEventListener('online', this.hurry);
    removeEventListener('offline', this.#updateStatus);
    this.#cancelForget();
    this.#cancelNote();
    this.#position.stop();
    this.#tracker.stop();
    this.#alerts.close();
    this.#watchdog.close();
  }

  readonly #onVisibilityChange = () => {
    if (document.visibilityState === 'hidden') {
      this.#hiddenAt = Date.now();
      return;
    }
    if (this.#silentMs() > PAUSED_AFTER_MS) this.#update({ status: 'paused' });
    // Reported in the background; if there's still no position, the device will report that again.
    if (this.#trouble === 'lost') this.#trouble = null;
    this.hurry();
  };

  /** How long this page has been in the background without an answer. */
  #silentMs(): number {
    if (this.#hiddenAt === null) return 0;
    return Date.now() - Math.max(this.#hiddenAt, this.#state.receivedAt ?? 0);
  }

  /** In a quiet place no one is shown or announced either. */
  #fallSilent() {
    this.#cancelForget();
    this.#alerts.clear();
    this.#update({ nearby: null, receivedAt: null });
  }

  #receiveAnswer({ nearbyUsers, is_too_rough, is_unconfirmed }: LocationAnswer) {
    if (this.#tracker.state === 'quiet') return;
    this.#unusable = is_too_rough ? 'rough' : is_unconfirmed ? 'unconfirmed' : null;
    const silent = this.#silentMs();
    if (document.visibilityState === 'visible') this.#hiddenAt = null;
    this.#failure = null;
    this.#unknownSince = null;
    this.#forgetLater();
    this.#update({
      status: this.#unusable ?? 'active',
      problem: null,
      nearby: this.#unusable ? null : this.#follow(nearbyUsers),
      receivedAt: Date.now(),
    });
    if (silent > PAUSED_AFTER_MS) this.#notePause(silent);
    // Without a usable position, a missing user hasn't necessarily left.
    if (!this.#unusable) this.#alerts.receiveAnswer(nearbyUsers);
  }

  /** Clears the nearby list when it becomes stale. */
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

  #follow(users: NearbyUser[]): FollowedUser[] {
    return nearestFirst(followUsers(this.#state.nearby ?? [], users, Date.now()));
  }

  #receiveEvent(event: ServerEvent) {
    if (event.type === 'cadence') this.#tracker.cadence(event.next_update_seconds);
    if (event.type !== 'encounter' || this.#tracker.state === 'quiet') return;
    const { user } = event;
    const others = this.#state.nearby?.filter((other) => other.user_id !== user.user_id) ?? [];
    this.#update({ nearby: nearestFirst([...others, ...this.#follow([user])]) });
    this.#alerts.receiveEncounter(user);
  }

  readonly #updateStatus = () => {
    const tracking = this.#trackingStatus();
    const status = tracking === 'active' ? (this.#unusable ?? tracking) : tracking;
    const isCatchingUp = status === 'active' || (status === 'lost' && this.#trouble === null);
    if (this.#state.status === 'paused' && isCatchingUp) return;
    this.#update({ status, problem: status === 'failing' ? problemOf(this.#failure) : null });
  };

  #trackingStatus(): TrackingStatus {
    const status = statusOf(this.#tracker.state, this.#trouble, this.#failure);
    const isLate = Math.abs(Date.now() - (this.#unknownSince ?? Date.now())) >= SHARING_GRACE_MS;
    // Sharing was turned on a moment ago, and the server doesn't know yet.
    return status === 'failing' && isSharingUnknown(this.#failure) && !isLate ? 'starting' : status;
  }

  #update(change: Partial<ProximityState>) {
    this.#state = { ...this.#state, ...change };
    this.#watchdog.update(this.#state.status);
    const { stopped } = this.#watchdog;
    if (stopped !== this.#state.stopped) this.#state = { ...this.#state, stopped };
    this.#onChange(this.#state);
  }
}

/** Whether a tab's state is recent: the tab may have been suspended or closed long ago. */
const isOfNow = ({ receivedAt }: ProximityState): boolean =>
  receivedAt !== null && Math.abs(Date.now() - receivedAt) < OVER_AFTER_MS;

const isSharingUnknown = (failure: unknown): boolean =>
  failure instanceof CallError && failure.code === 'sharing_off';

function problemOf(failure: unknown): string | null {
  if (isSharingUnknown(failure)) return SHARING_UNKNOWN;
  return failure instanceof CallError && failure.status > 0 ? failure.message : null;
}

const nearestFirst = (users: FollowedUser[]) =>
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

const TITLE = 'Warnings have stopped';
const SEE_WHY = `Open ${PRODUCT} to see why`;
/** How long another tab has to take over. */
const HANDOVER_MS = 3000;
const VIBRATION = [400, 200, 400] as const;
const TROUBLE: ReadonlySet<TrackingStatus> = new Set([
  'offline',
  'failing',
  'lost',
  'rough',
  'unconfirmed',
  'denied',
  'unsupported',
]);

/**
 * Notifies the owner once that warnings have stopped, when the server's copy of their position expires. With the phone in
 * a pocket, silence could otherwise mean either that no one is near or that nothing works.
 */
export class Watchdog {
  readonly #outputs: Pick<AlertOutputs, 'speak' | 'vibrate' | 'notify'>;
  readonly #clock: Clock;
  readonly #onAnnounced: () => void;
  #hasWorked: boolean;
  #status: TrackingStatus = 'off';
  #stopped: Stopped | null;
  #cancel: (() => void) | null = null;
  #closeNotice: (() => void) | null = null;

  /**
   * @param before the state when this tab took over
   * @param onAnnounced called after the owner was notified and `stopped.isAnnounced` is set
   */
  constructor(
    outputs: Pick<AlertOutputs, 'speak' | 'vibrate' | 'notify'>,
    clock: Clock,
    before: Pick<ProximityState, 'status' | 'stopped'>,
    onAnnounced: () => void,
  ) {
    this.#outputs = outputs;
    this.#clock = clock;
    this.#onAnnounced = onAnnounced;
    this.#stopped = before.stopped;
    this.#hasWorked = before.status === 'active' || before.stopped !== null;
  }

  /** Since when warnings have stopped working; handed on to the tab that takes over. */
  get stopped(): Stopped | null {
    return this.#stopped;
  }

  /** Updates the tracking status. */
  update(status: TrackingStatus): void {
    this.#status = status;
    if (TROUBLE.has(status)) {
      if (this.#hasWorked) this.#cancel ??= this.#begin();
      return;
    }
    if (status === 'active') this.#hasWorked = true;
    if (status !== 'active' && status !== 'quiet') return;
    this.#stopped = null;
    this.close();
  }

  /** Schedules the notification. One that another tab already announced is shown here without sound. */
  #begin(): () => void {
    const now = this.#clock.now();
    this.#stopped ??= { since: now, isAnnounced: false };
    const { since, isAnnounced } = this.#stopped;
    const left = isAnnounced ? 0 : STALE_SECONDS * 1000 - Math.abs(now - since);
    return this.#clock.after(Math.max(0, left), () => {
      const body = STATUS_TEXTS[this.#status].title;
      this.#show(body);
      if (isAnnounced) return;
      this.#say(body);
      this.#stopped = { since, isAnnounced: true };
      this.#onAnnounced();
    });
  }

  /** Closes the notification. */
  close(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#closeNotice?.();
    this.#closeNotice = null;
  }

  /**
   * Call after `close` when warnings end in this tab without the owner's doing, such as when their session or access has
   * ended: notifies the owner, unless another tab takes over.
   */
  leave(goesOn: () => Promise<boolean>): void {
    if (!this.#hasWorked) return;
    const check = async () => {
      if (await goesOn()) return;
      this.#show(SEE_WHY);
      this.#say(SEE_WHY);
    };
    this.#clock.after(HANDOVER_MS, () => void check());
  }

  /** @param body the reason */
  #show(body: string): void {
    this.#closeNotice = this.#outputs.notify({
      title: TITLE,
      body,
      tag: 'proximity-stopped',
      urgent: true,
    });
  }

  #say(body: string): void {
    this.#outputs.vibrate(VIBRATION);
    void this.#outputs.speak('leash_off', `${TITLE}. ${body}.`);
  }
}
