import {
  createSession,
  logout,
  me,
  redirectUrl,
  type CurrentUser,
} from '#shared/session/contract.ts';
import { CallError, type caller } from '../http/api-client.ts';
import { Store } from '../store.ts';

export interface AuthState {
  /** Null when nobody is signed in, or while that is not known yet. */
  user: CurrentUser | null;
  /** True until the first fetch has settled. */
  isPending: boolean;
  /** True while a fetch is in flight. */
  isFetching: boolean;
}

export interface AuthSettings {
  call: ReturnType<typeof caller>;
  remembered: CurrentUser | null;
  remember: (user: CurrentUser | null) => void;
  /** Whether a logout never reached the server; it is told before it is asked anything else. */
  isLogoutPending: () => boolean;
  markLogoutPending: (owed: boolean) => void;
  navigate: (url: string) => void;
  /** Removes what this device stores of a user whose session ended other than by logout; unsent changes are set aside. */
  removeEndedSession: (user: CurrentUser) => Promise<void>;
  /** Settles when nothing of a session of this user that ended is being removed any more. */
  untilRemoved: (userId: string) => Promise<void>;
  /** Removes what this device keeps of a user. */
  forgetLocalData: (userId: string) => Promise<void>;
}

/** No answer for this long counts as none: a bad signal must not keep the screen waiting. */
const PATIENCE_MS = 10_000;
/** A session counts as ended only when the server says so twice: another tab may be signing in just now. */
const ASK_AGAIN_MS = 500;
/** What our server says of a session that is over. Anything else that answers 401 is not our server. */
const ENDED = new Set(['signed_out', 'account_deleted']);
const NO_CODE =
  'Cannot exchange code for session token: no code provided in the URL search params.';

const statusOf = (error: unknown) => (error instanceof CallError ? error.status : 0);

/** Who is signed in, apart from any screen. A remembered user stands until the server says otherwise. */
export class Auth extends Store {
  private state: AuthState;
  private readonly settings: AuthSettings;
  private fetch: Promise<void> | null = null;
  private exchange: { search: string; done: Promise<void> } | null = null;
  /** Counts changes of who is signed in, so that an answer to an older question is dropped. */
  private turn = 0;

  constructor(settings: AuthSettings) {
    super();
    this.settings = settings;
    this.state = { user: settings.remembered, isPending: true, isFetching: false };
  }

  readonly getState = (): AuthState => this.state;

  /** Asks the server who is signed in; calls at the same time share one question. Never throws. */
  readonly fetchUser = (): Promise<void> => {
    if (this.fetch) return this.fetch;
    const asked = this.ask().finally(() => {
      if (this.fetch === asked) this.fetch = null;
    });
    this.fetch = asked;
    return asked;
  };

  /** Leaves for the identity provider. A failure is logged and thrown. @param isAgain whether it is to confirm who is there */
  readonly redirectToLogin = async (loginHint?: string, isAgain = false): Promise<void> => {
    try {
      const query = { login_hint: loginHint, ...(isAgain && { again: 'true' }) };
      const answer = await this.settings.call(redirectUrl, { query });
      this.settings.navigate(answer.redirectUrl);
    } catch (error) {
      console.error(`Failed to get login redirect URL: ${reason(error)}`);
      throw error;
    }
  };

  /**
   * Turns the sign-in's code, in the address, into a session, once however often it is asked for.
   * @throws when there is no code, or the server refuses it
   */
  readonly exchangeCodeForSessionToken = (search = location.search): Promise<void> => {
    if (this.exchange?.search !== search)
      this.exchange = { search, done: this.trade(new URLSearchParams(search)) };
    return this.exchange.done;
  };

  /** Signs out here at once, then on the server; what this device kept of the user is removed. */
  readonly logout = async (): Promise<void> => {
    const { user } = this.state;
    this.settings.markLogoutPending(true);
    this.become(null);
    const failed = (what: string) => (error: unknown) =>
      console.error(`Failed to ${what}: ${reason(error)}`);
    await Promise.all([
      user && this.settings.forgetLocalData(user.id).catch(failed('remove local data')),
      this.tellLogout().catch(failed('logout')),
    ]);
  };

  /** Takes over what another tab of this browser did, or that a call was refused as signed out (null). */
  readonly become = (user: CurrentUser | null): void => {
    this.turn += 1;
    this.settings.remember(user);
    // Whoever is the same person still stays the same object, or every screen would be drawn anew for it.
    if (JSON.stringify(user) !== JSON.stringify(this.state.user)) this.set({ user });
  };

  /**
   * Takes over that the server has just let this user in. An answer that is still on its way does not know it, and none
   * may come at all: neither sends back to the gate who has passed it.
   */
  readonly letIn = (access_expires_at: string): void => {
    const { user } = this.state;
    if (user) this.become({ ...user, has_access: true, access_expires_at });
    this.fetch = null;
    void this.fetchUser();
  };

  private async ask(): Promise<void> {
    const { turn } = this;
    this.set({ isFetching: true });
    try {
      if (this.settings.isLogoutPending()) await this.tellLogout();
      const user = await this.fetchMe(turn);
      if (turn === this.turn) this.signedIn(user);
    } catch (error) {
      console.error(`Failed to fetch user: API responded with HTTP status ${statusOf(error)}`);
      if (isEnded(error) && turn === this.turn) this.end(error);
    }
    this.set({ isFetching: false, isPending: false });
  }

  /** Asks who is signed in; where somebody is known here and the server says that nobody is, once more. */
  private async fetchMe(turn: number): Promise<CurrentUser> {
    const ask = () => this.settings.call(me, { signal: AbortSignal.timeout(PATIENCE_MS) });
    try {
      return await ask();
    } catch (error) {
      if (!isEnded(error) || !this.state.user || turn !== this.turn) throw error;
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
      return ask();
    }
  }

  /** The session is over. With a deleted account everything is removed, otherwise all but what is unsent. */
  private end(refusal: CallError): void {
    const { user } = this.state;
    this.become(null);
    if (!user) return;
    const removed =
      refusal.code === 'account_deleted'
        ? this.settings.forgetLocalData(user.id)
        : this.settings.removeEndedSession(user);
    removed.catch((error: unknown) =>
      console.error(`Failed to remove local data: ${reason(error)}`),
    );
  }

  /** The server says who is signed in. Whoever was before is not, and their data goes. */
  private signedIn(user: CurrentUser): void {
    const before = this.state.user;
    this.become(user);
    if (!before || before.id === user.id) return;
    this.settings
      .removeEndedSession(before)
      .catch((error: unknown) => console.error(`Failed to remove local data: ${reason(error)}`));
  }

  private async trade(search: URLSearchParams): Promise<void> {
    try {
      const code = search.get('code');
      if (!code) throw new Error(NO_CODE);
      const { user } = await this.settings.call(createSession, {
        body: { code, state: search.get('state') ?? undefined },
      });
      this.settings.markLogoutPending(false);
      await this.settings.untilRemoved(user.id);
      this.signedIn(user);
      await this.fetchUser();
    } catch (error) {
      console.error(`Failed to exchange code for session token: ${reason(error)}`);
      throw error;
    }
  }

  private async tellLogout(): Promise<void> {
    await this.settings.call(logout, { signal: AbortSignal.timeout(PATIENCE_MS) });
    this.settings.markLogoutPending(false);
  }

  private set(change: Partial<AuthState>): void {
    this.state = { ...this.state, ...change };
    this.notify();
  }
}

const isEnded = (error: unknown): error is CallError =>
  error instanceof CallError && error.status === 401 && ENDED.has(error.code);

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));
