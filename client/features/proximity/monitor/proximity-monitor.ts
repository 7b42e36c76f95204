import type { ServerEvent } from '#shared/events/contract.ts';
import type { LookalikeOf } from '#shared/friends/lookalikes.ts';
import { newId } from '#shared/ids.ts';
import { metersBetween, type Place } from '#shared/place.ts';
import {
  dropLocation,
  reportLocation,
  type AnswerPhrase,
  type LocationAnswer,
  type NearbyUser,
  type PositionReport,
} from '#shared/proximity/contract.ts';
import { POLL_SECONDS, RADIUS_FEET, STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { Settings } from '#shared/settings/document.ts';
import { isQuiet, type QuietPlace } from '#shared/settings/rules.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { reachability } from '../../../platform/http/reachability.ts';
import { unitsFor } from '../../settings/use-units.ts';
import type { AcknowledgedAlerts } from '../alerts/acknowledged-alerts.ts';
import { AlertController, OVER_AFTER_MS } from '../alerts/alert-controller.ts';
import type { Silence } from '../alerts/shown-alert.ts';
import type { OwnSide } from '../alerts/verdict.ts';
import type { WalkSilences } from '../alerts/walk-silences.ts';
import { deviceOutputs, outputsUnless, type OwnSound } from '../output/alert-outputs.ts';
import { keepScreenOn } from '../output/keep-screen-on.ts';
import { deviceClock, Tracker, type Fix, type TrackerState } from '../tracking/tracker.ts';
import { watchPosition, type PositionTrouble } from '../tracking/watch-position.ts';
import { OFF, type ProximityState, type TrackingStatus } from './proximity-state.ts';
import { followUsers, type FollowedUser } from './trend.ts';
import { Watchdog } from './watchdog.ts';

/** The owner's settings that affect warnings, from their documents. */
export interface WarningPreferences {
  sharing: boolean;
  /** Whether a walk has started. Otherwise only the first location is shared, too roughly for warnings. */
  isWalking: boolean;
  /** The owner's side of an encounter, by the dogs that came along. */
  ownSide: Omit<OwnSide, 'leashPlace'>;
  /** The ids of the owner's dogs that came along; null if all did. */
  dogIds: readonly string[] | null;
  /** Returns the name of a place that requires leashes and is known to be here; null if there is none. */
  leashPlaceAt: (place: Place) => string | null;
  friendIds: ReadonlySet<string>;
  /** Returns what is said of a person's name that looks like another one; null if it doesn't. */
  lookalikeOf: LookalikeOf;
  settings: Settings;
  quietPlaces: readonly QuietPlace[];
  ownSound: OwnSound;
}

/** What the owner does about alerts. */
export type AlertAction =
  | { type: 'fold'; userIds: string[] }
  | { type: 'unfold'; userId: string }
  | { type: 'silence'; userId: string; isSilenced: boolean }
  | { type: 'stop-asking'; userId: string }
  | { type: 'answered'; userId: string; phrase: AnswerPhrase };

/** In the background without an answer for longer than this, warnings count as paused. */
const PAUSED_AFTER_MS = (POLL_SECONDS + 15) * 1000;
const PAUSE_NOTE_MS = 30_000;
const DROP_MS = 10_000;
/** How long the server may take to receive the sharing setting after it was turned on. */
const SHARING_GRACE_MS = 10_000;
/** From this speed in meters per second, or so far from the last report in meters, the owner is walking. */
const WALKING = { speed: 0.6, meters: 6 };
/** How soon a position is reported while the owner walks near someone. */
const WALKING_SECONDS = 2;
const SHARING_UNKNOWN = 'Our server doesn’t know yet that you’re sharing your location.';

/**
 * Tracks this device's position, reports it, and turns answers and events into alerts until it is closed.
 * Only the leading tab of a browser has one, while the owner shares their location.
 */
export class ProximityMonitor {
  #onChange: (state: ProximityState) => void;
  readonly #tracker: Tracker;
  readonly #alerts: AlertController;
  readonly #preferences: () => WarningPreferences;
  readonly #silences: WalkSilences;
  readonly #watchdog: Watchdog;
  readonly #position: ReturnType<typeof watchPosition>;
  readonly #stops: (() => void)[] = [];
  #state: ProximityState;
  /** When and where the last report was sent, whether during a walk, and what it said of who walks, as JSON; null before the first one. */
  #reported: { at: number; place: Place; isWalking: boolean; walker: string } | null = null;
  /** The name of a place here that requires leashes. */
  #leashPlace: string | null = null;
  #trouble: PositionTrouble | null = null;
  #failure: unknown = null;
  #failingSince: number | null = null;
  /** Since when the server has answered that sharing is off. */
  #unknownSince: number | null = null;
  /** Why the server can't warn anyone with the last reported position; null if it can. */
  #unusable: 'rough' | 'unconfirmed' | null = null;
  #hiddenAt: number | null = null;
  /** Whether the owner carries another device: only that one sounds. */
  #isLeftBehind = false;
  #cancelForget = () => {};
  #cancelNote = () => {};

  /**
   * @param options.onEvent subscribes to server events; returns how to unsubscribe
   * @param options.mistrustEvents reconnects the event stream if nothing was received since then, in milliseconds
   * @param options.preferences returns the current preferences; call `review` after a change
   * @param options.onFix called with each position of the device
   * @param options.silences whom the owner has silenced on this walk
   * @param options.acknowledged the alerts that the owner has acknowledged
   * @param options.before the state of the previous monitor, in this tab or another, to continue from
   */
  constructor(options: {
    onEvent: (listener: (event: ServerEvent) => void) => () => void;
    mistrustEvents: (silentSince: number) => void;
    preferences: () => WarningPreferences;
    onFix: (fix: Fix) => void;
    silences: WalkSilences;
    acknowledged: AcknowledgedAlerts;
    before: ProximityState;
    onChange: (state: ProximityState) => void;
  }) {
    const { preferences } = options;
    const { stopped } = options.before;
    const { alerts, nearby, receivedAt } = isOfNow(options.before) ? options.before : OFF;
    this.#state = { ...OFF, status: 'starting', stopped, nearby, receivedAt };
    this.#onChange = options.onChange;
    this.#preferences = preferences;
    this.#silences = options.silences;
    const outputs = deviceOutputs(
      () => preferences().settings,
      (type) => preferences().ownSound(type),
    );
    this.#watchdog = new Watchdog(outputs, deviceClock, options.before, () => this.#update({}));
    this.#forgetLater();
    this.#alerts = new AlertController({
      outputs: outputsUnless(() => this.#isLeftBehind, outputs),
      clock: deviceClock,
      radiusFeet: () => preferences().settings.alert_radius_feet,
      units: () => unitsFor(preferences().settings),
      own: () => ({
        ...preferences().ownSide,
        leashPlace: this.#leashPlace,
      }),
      companions: {
        silenceOf: (userId) => this.#silenceOf(userId),
        wasAsked: (userId) => this.#silences.wasAsked(userId),
        setAsked: (userId) => this.#silences.setAsked(userId),
      },
      noteOn: (userId, name) => preferences().lookalikeOf(userId, name),
      acknowledged: options.acknowledged,
      alerts,
      onChange: (alerts) => this.#update({ alerts }),
    });
    const device = newId();
    let sequence = 0;
    const order = () => ({ device, sequence: ++sequence });
    this.#tracker = new Tracker({
      ...deviceClock,
      post: (report, signal) => {
        const { isWalking, settings } = preferences();
        const walker = this.#walker();
        const said = { isWalking, walker: JSON.stringify(walker) };
        this.#reported = { at: Date.now(), place: report, ...said };
        const chosen = { radius_feet: settings.alert_radius_feet, ...walker };
        const shared = isWalking ? report : roughly(report);
        return call(reportLocation, { body: { ...shared, ...chosen, ...order() }, signal });
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
        this.#leashPlace = preferences().leashPlaceAt(fix);
        this.#tracker.fix(fix);
        options.onFix(fix);
        this.#reportWalking(fix);
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
    this.#stops.push(reachability.subscribe(this.#updateStatus));
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
    this.#alerts.review();
    if (this.#reported === null) return;
    const { isWalking, walker } = this.#reported;
    // The last location was too rough to warn anybody.
    if (this.#preferences().isWalking && !isWalking) this.#tracker.cadence(0);
    else if (walker !== JSON.stringify(this.#walker())) this.#tracker.cadence(1);
  }

  /** Returns what a report says of who walks: with which dogs, and whether without a name. */
  #walker(): Pick<PositionReport, 'is_nameless' | 'dog_ids'> {
    const { settings, dogIds } = this.#preferences();
    return {
      ...(settings.is_nameless && { is_nameless: true }),
      ...(dogIds && { dog_ids: [...dogIds] }),
    };
  }

  act(action: AlertAction): void {
    if (action.type === 'fold') this.#alerts.fold(action.userIds);
    else if (action.type === 'unfold') this.#alerts.unfold(action.userId);
    else if (action.type === 'stop-asking') this.#alerts.stopAsking(action.userId);
    else if (action.type === 'answered')
      this.#alerts.receiveAnswerOf(action.userId, 'own', action.phrase);
    else {
      this.#silences.set(action.userId, action.isSilenced);
      this.#alerts.review();
    }
  }

  #silenceOf(userId: string): Silence | null {
    if (this.#silences.has(userId)) return 'walk';
    const { settings, friendIds } = this.#preferences();
    return settings.silence_friends && friendIds.has(userId) ? 'friends' : null;
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

  /** Reports sooner than the server asks for, which doesn't know yet that the owner is walking again. */
  #reportWalking(fix: Fix): void {
    const isNear = this.#state.nearby?.some((user) => user.distance_feet <= RADIUS_FEET) ?? false;
    if (!isNear || this.#reported === null) return;
    const { at, place } = this.#reported;
    const isWalking =
      (fix.speed ?? 0) >= WALKING.speed || metersBetween(place, fix) >= WALKING.meters;
    if (!isWalking) return;
    const waited = (Date.now() - at) / 1000;
    this.#tracker.cadence(Math.min(WALKING_SECONDS, Math.max(0, WALKING_SECONDS - waited)));
  }

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

  #receiveAnswer(answer: LocationAnswer) {
    const { nearbyUsers, is_too_rough, is_unconfirmed, is_left_behind = false } = answer;
    this.#isLeftBehind = is_left_behind;
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
      nearby: this.#unusable && nearbyUsers.length === 0 ? null : this.#follow(nearbyUsers),
      receivedAt: Date.now(),
    });
    if (silent > PAUSED_AFTER_MS) this.#notePause(silent);
    // Without a usable position, a missing user hasn't necessarily left.
    if (!this.#unusable) this.#alerts.receiveAnswer(nearbyUsers);
    else for (const user of nearbyUsers) this.#alerts.receiveEncounter(user);
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
    if (event.type === 'answer')
      this.#alerts.receiveAnswerOf(event.user_id, 'theirs', event.phrase);
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

/** Returns about where a report is, to a hundredth of a degree: the server warns nobody by a position that is so rough. */
const roughly = ({ latitude, longitude, age_seconds }: PositionReport): PositionReport => ({
  latitude: Math.round(latitude * 100) / 100,
  longitude: Math.round(longitude * 100) / 100,
  accuracy: 1000,
  age_seconds,
});

/** Whether a tab's state is recent: the tab may have been suspended or closed long ago. */
const isOfNow = ({ receivedAt }: ProximityState): boolean =>
  receivedAt !== null && Math.abs(Date.now() - receivedAt) < OVER_AFTER_MS;

const isSharingUnknown = (failure: unknown): boolean =>
  failure instanceof CallError && failure.code === 'sharing_off';

function problemOf(failure: unknown): string | null {
  if (isSharingUnknown(failure)) return SHARING_UNKNOWN;
  return failure instanceof CallError && failure.status > 0 ? messageOf(failure) : null;
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
  if (!reachability.get()) return 'offline';
  if (tracker === 'active') return 'active';
  if (tracker === 'no-fix') return 'lost';
  if (tracker !== 'offline') return trouble ?? 'starting';
  return failure instanceof CallError && failure.status > 0 ? 'failing' : 'unreachable';
}
