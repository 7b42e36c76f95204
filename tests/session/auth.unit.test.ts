import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CurrentUser } from '#shared/session/contract.ts';
import { caller } from '../../client/platform/http/api-client.ts';
import { Auth } from '../../client/platform/session/auth.ts';

const rex: CurrentUser = {
  id: 'u1',
  email: 'sam@example.com',
  given_name: 'Sam',
  name: 'Sam Walker',
  picture: null,
  is_admin: false,
  access_expires_at: '2026-12-21T12:00:00.000Z',
  has_access: true,
  documents: { card: 'automerge:c', account: 'automerge:a', contacts: 'automerge:r' },
};
const signedOut = { status: 401, body: { error: 'Signed out', code: 'signed_out' } };

type Answer = { status?: number; body: unknown } | 'no network';

/** A server with scripted responses per path (the last one repeats) that records its requests. */
function setUp(answers: Record<string, Answer[]>, remembered: CurrentUser | null = null) {
  const asked: string[] = [];
  const device = {
    user: remembered,
    isLogoutPending: false,
    mayBeSignedIn: true,
    forgotten: [] as string[],
    ended: [] as string[],
    wentTo: [] as string[],
  };
  const send = async (input: string | URL | Request) => {
    const path = new URL(String(input), 'http://app').pathname;
    asked.push(path);
    const queue = answers[path] ?? [];
    const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? 'no network';
    await Promise.resolve();
    if (answer === 'no network') throw new TypeError('Failed to fetch');
    return Response.json(answer.body, { status: answer.status ?? 200 });
  };
  const auth = new Auth({
    call: caller({ fetch: send, origin: 'http://app' }),
    remembered,
    remember: (user) => (device.user = user),
    mayBeSignedIn: () => device.mayBeSignedIn,
    isLogoutPending: () => device.isLogoutPending,
    markLogoutPending: (owed) => (device.isLogoutPending = owed),
    navigate: (url) => device.wentTo.push(url),
    forgetLocalData: async (id) => void device.forgotten.push(id),
    removeEndedSession: async ({ id }) => void device.ended.push(id),
    untilRemoved: async () => {},
  });
  return { auth, asked, device };
}

const ME = '/api/users/me';
const SESSIONS = '/api/sessions';
const LOGOUT = '/api/logout';

describe('the signed-in user', () => {
  const logged = vi.spyOn(console, 'error');
  beforeEach(() => void logged.mockImplementation(() => {}));
  afterEach(() => void logged.mockReset());

  it('is pending until the first fetch settles and fetching while a request is in flight', async () => {
    const { auth, device } = setUp({ [ME]: [{ body: rex }] });
    expect(auth.getState()).toEqual({ user: null, isPending: true, isFetching: false });
    const fetched = auth.fetchUser();
    expect(auth.getState()).toEqual({ user: null, isPending: true, isFetching: true });
    await fetched;
    expect(auth.getState()).toEqual({ user: rex, isPending: false, isFetching: false });
    expect(device.user).toEqual(rex);
  });

  it('sends one request for simultaneous fetches', async () => {
    const { auth, asked } = setUp({ [ME]: [{ body: rex }] });
    await Promise.all([auth.fetchUser(), auth.fetchUser(), auth.fetchUser()]);
    expect(asked).toEqual([ME]);
    await auth.fetchUser();
    expect(asked).toEqual([ME, ME]);
  });

  it('signs out when the server says so, even with a remembered user', async () => {
    const { auth, device } = setUp({ [ME]: [signedOut] }, rex);
    expect(auth.getState().user).toEqual(rex);
    await auth.fetchUser();
    expect(auth.getState()).toEqual({ user: null, isPending: false, isFetching: false });
    expect(device).toMatchObject({ user: null, ended: ['u1'], forgotten: [] });
    expect(logged).toHaveBeenCalledWith('Failed to fetch user: API responded with HTTP status 401');
  });

  it.each([
    ['there is no network', 'no network'],
    ['a proxy answers 401', { status: 401, body: 'Sign in to this Wi-Fi' }],
    ['something else answers 401', { status: 401, body: { error: 'No', code: 'unauthorized' } }],
    ['the server is in trouble', { status: 503, body: { error: 'Later', code: 'unavailable' } }],
  ] as [string, Answer][])('keeps the remembered user when %s', async (_, answer) => {
    const { auth, device } = setUp({ [ME]: [answer] }, rex);
    await auth.fetchUser();
    expect(auth.getState()).toEqual({ user: rex, isPending: false, isFetching: false });
    expect(device).toMatchObject({ user: rex, ended: [], forgotten: [] });
  });

  it('keeps the user when the server’s second answer is signed in, as during a sign-in in another tab', async () => {
    const { auth, asked, device } = setUp({ [ME]: [signedOut, { body: rex }] }, rex);
    await auth.fetchUser();
    expect(asked).toEqual([ME, ME]);
    expect(device).toMatchObject({ user: rex, ended: [] });
  });

  it('keeps the user when the network fails before the server’s second answer', async () => {
    const { auth, device } = setUp({ [ME]: [signedOut, 'no network'] }, rex);
    await auth.fetchUser();
    expect(device).toMatchObject({ user: rex, ended: [] });
  });

  it('removes the local data of another user', async () => {
    const other = { ...rex, id: 'u2', email: 'kim@example.com' };
    const asked = setUp({ [ME]: [{ body: other }] }, rex);
    await asked.auth.fetchUser();
    expect(asked.device).toMatchObject({ user: other, ended: ['u1'] });

    const came = setUp({ [SESSIONS]: [{ body: { user: other } }], [ME]: [{ body: other }] }, rex);
    await came.auth.exchangeCodeForSessionToken('?code=abc');
    expect(came.device).toMatchObject({ user: other, ended: ['u1'] });

    const again = setUp({ [SESSIONS]: [{ body: { user: rex } }], [ME]: [{ body: rex }] }, rex);
    await again.auth.exchangeCodeForSessionToken('?code=abc');
    expect(again.device).toMatchObject({ user: rex, ended: [] });
  });

  it('removes all local data of a deleted account, but keeps unsent changes when a session ended otherwise', async () => {
    const accountDeleted = {
      status: 401,
      body: { error: 'This account has been deleted', code: 'account_deleted' },
    };
    const deleted = setUp({ '/api/users/me': [accountDeleted] }, rex);
    await deleted.auth.fetchUser();
    expect(deleted.auth.getState().user).toBeNull();
    expect(deleted.device).toMatchObject({ user: null, forgotten: ['u1'], ended: [] });

    const ended = setUp({ '/api/users/me': [signedOut] }, rex);
    await ended.auth.fetchUser();
    expect(ended.device).toMatchObject({ user: null, forgotten: [], ended: ['u1'] });
  });

  it('exchanges a code once and reloads the user', async () => {
    const { auth, asked, device } = setUp({
      [SESSIONS]: [{ body: { user: rex } }],
      [ME]: [{ body: rex }],
    });
    await Promise.all([
      auth.exchangeCodeForSessionToken('?code=abc&state=s'),
      auth.exchangeCodeForSessionToken('?code=abc&state=s'),
    ]);
    await auth.exchangeCodeForSessionToken('?code=abc&state=s');
    expect(asked).toEqual([SESSIONS, ME]);
    expect(auth.getState().user).toEqual(rex);
    expect(device.user).toEqual(rex);
  });

  it('rejects an exchange without a code with the specified text', async () => {
    const { auth, asked } = setUp({});
    await expect(auth.exchangeCodeForSessionToken('?state=s')).rejects.toThrow(
      'Cannot exchange code for session token: no code provided in the URL search params.',
    );
    expect(asked).toEqual([]);
    expect(logged).toHaveBeenCalledWith(
      'Failed to exchange code for session token: Cannot exchange code for session token: no code provided in the URL search params.',
    );
  });

  it('a browser without a session asks for no user, and logs nothing', async () => {
    const { auth, asked, device } = setUp({ [ME]: [signedOut] });
    device.mayBeSignedIn = false;
    await auth.fetchUser();
    expect(asked).toEqual([]);
    expect(auth.getState()).toEqual({ user: null, isPending: false, isFetching: false });
    expect(logged).not.toHaveBeenCalled();
  });

  it('a sign-in survives a signed-out response to an earlier request', async () => {
    let answerMe: (response: Response) => void = () => {};
    const first = new Promise<Response>((resolve) => (answerMe = resolve));
    let questions = 0;
    const send = async (input: string | URL | Request) => {
      if (String(input).endsWith('/sessions')) return Response.json({ user: rex });
      questions += 1;
      return questions === 1 ? first : Response.json(rex);
    };
    const auth = new Auth({
      call: caller({ fetch: send, origin: 'http://app' }),
      remembered: null,
      remember: () => {},
      mayBeSignedIn: () => true,
      isLogoutPending: () => false,
      markLogoutPending: () => {},
      navigate: () => {},
      forgetLocalData: async () => {},
      removeEndedSession: async () => {},
      untilRemoved: async () => {},
    });
    const asking = auth.fetchUser();
    const signingIn = auth.exchangeCodeForSessionToken('?code=abc');
    await vi.waitFor(() => expect(auth.getState().user).toEqual(rex));
    answerMe(Response.json(signedOut.body, { status: 401 }));
    await Promise.all([asking, signingIn]);
    expect(auth.getState().user).toEqual(rex);
  });

  it('signs out locally before the server responds to a logout', async () => {
    const { auth, asked, device } = setUp({ [LOGOUT]: [{ body: {} }] }, rex);
    const seen: unknown[] = [];
    auth.subscribe(() => seen.push([auth.getState().user, asked.length]));
    await auth.logout();
    expect(seen[0]).toEqual([null, 0]);
    expect(asked).toEqual([LOGOUT]);
    expect(device).toMatchObject({ user: null, forgotten: ['u1'], isLogoutPending: false });
  });

  it('sends a logout made offline before any other request', async () => {
    const { auth, asked, device } = setUp(
      { [LOGOUT]: ['no network', { body: {} }], [ME]: [signedOut] },
      rex,
    );
    await auth.logout();
    expect(device.isLogoutPending).toBe(true);
    expect(logged).toHaveBeenCalledWith('Failed to logout: Failed to logout');
    await auth.fetchUser();
    expect(asked).toEqual([LOGOUT, LOGOUT, ME]);
    expect(device.isLogoutPending).toBe(false);
    expect(auth.getState().user).toBeNull();
  });

  it('keeps granted access when an earlier response arrives late or the network fails', async () => {
    const outside = { ...rex, has_access: false, access_expires_at: null };
    const { auth, asked, device } = setUp({ [ME]: [{ body: outside }, 'no network'] }, outside);
    const before = auth.fetchUser();
    auth.letIn('2026-12-31T12:00:00.000Z');
    await before;
    await vi.waitFor(() => expect(auth.getState().isFetching).toBe(false));
    expect(asked).toEqual([ME, ME]);
    const inside = { ...rex, access_expires_at: '2026-12-31T12:00:00.000Z' };
    expect(auth.getState().user).toEqual(inside);
    expect(device.user).toEqual(inside);
  });

  it('navigates to the redirect URL of the server and logs a failure to get it', async () => {
    const path = '/api/oauth/google/redirect_url';
    const { auth, device } = setUp({
      [path]: [
        { body: { redirectUrl: 'https://id.example/authorize', is_sandbox: false } },
        'no network',
      ],
    });
    await auth.redirectToLogin();
    expect(device.wentTo).toEqual(['https://id.example/authorize']);
    await expect(auth.redirectToLogin()).rejects.toThrow('Failed to get login redirect URL');
    expect(logged).toHaveBeenCalledWith(
      'Failed to get login redirect URL: Failed to get login redirect URL',
    );
  });
});
