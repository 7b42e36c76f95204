import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import type { CurrentUser } from '#shared/session/contract.ts';
import { call, onRefusal } from '../http/api.ts';
import { Auth, type AuthState } from './auth.ts';
import {
  pendingEndedSessions,
  hasUnsentChanges,
  isLogoutPending,
  markEndedSessionPending,
  onRememberedUserChange,
  markLogoutPending,
  rememberedUser,
  rememberUser,
  pendingRemovals,
  settleEndedSession,
} from './remembered-user.ts';

type AuthActions = Pick<
  Auth,
  'fetchUser' | 'letIn' | 'redirectToLogin' | 'exchangeCodeForSessionToken' | 'logout'
>;

const ActionsContext = createContext<AuthActions | null>(null);
const StateContext = createContext<AuthState | null>(null);
const UserContext = createContext<CurrentUser | null | undefined>(undefined);

const isRemovalOwed = () =>
  hasUnsentChanges() || pendingRemovals().length + pendingEndedSessions().length > 0;

async function forgetWhatIsOwed(): Promise<void> {
  try {
    const documents = await import('../sync/documents/current-user-documents.ts');
    await documents.retryPendingRemovals();
  } catch (error) {
    console.error('Failed to remove local data', error);
  }
}

/**
 * Gives everything below it the current user, fetched once at the start. By contexts: what is answered while the first
 * screen is still being drawn in slices waits for it, where an external store would make React begin again, in one go.
 */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [auth] = useState(() => {
    const made = new Auth({
      call,
      remembered: rememberedUser(),
      remember: (user) => {
        rememberUser(user);
        // Whoever is signed in again keeps what is theirs.
        if (user) settleEndedSession(user.id);
      },
      untilRemoved: async (userId) => {
        if (!pendingEndedSessions().some(({ user }) => user.id === userId)) return;
        const { untilRemoved } = await import('../sync/documents/current-user-documents.ts');
        await untilRemoved(userId);
      },
      isLogoutPending,
      markLogoutPending,
      navigate: (url) => location.assign(url),
      removeEndedSession: async ({ id, documents }) => {
        const session = { user: { id, documents }, at: Date.now() };
        // Before anything is loaded: the next start finishes what this one does not.
        markEndedSessionPending(session);
        const { removeEndedSession } = await import('../sync/documents/current-user-documents.ts');
        await removeEndedSession(session);
      },
      forgetLocalData: async (userId) => {
        const { forgetLocalData } = await import('../sync/documents/current-user-documents.ts');
        await forgetLocalData(userId);
      },
    });
    // Before anything is drawn: the question is on its way sooner.
    void made.fetchUser();
    if (isRemovalOwed()) void forgetWhatIsOwed();
    return made;
  });
  const [state, setState] = useState(auth.getState);
  useEffect(() => {
    const show = () => setState(auth.getState());
    const fetchUser = () => void auth.fetchUser();
    let userId = auth.getState().user?.id;
    // What the server answered to one user is nothing for the next, in any tab.
    const clearAnswers = () => {
      const before = userId;
      userId = auth.getState().user?.id;
      if (before === undefined || before === userId) return;
      void import('../http/query-client.ts').then(({ queries }) => queries.clear());
      void import('./sign-in-again.ts').then(({ forgetPlace }) => forgetPlace());
    };
    window.addEventListener('online', fetchUser);
    const stopListening = [
      auth.subscribe(show),
      auth.subscribe(clearAnswers),
      onRememberedUserChange(auth.become),
      onRefusal((refusal) => {
        if (refusal.status === 401 && auth.getState().user) fetchUser();
      }),
      () => window.removeEventListener('online', fetchUser),
    ];
    // What was answered in the meantime.
    show();
    return () => stopListening.forEach((stop) => stop());
  }, [auth]);
  return (
    <ActionsContext value={auth}>
      <StateContext value={state}>
        <UserContext value={state.user}>{children}</UserContext>
      </StateContext>
    </ActionsContext>
  );
}

const OUTSIDE = 'useAuth must be used within a AuthProvider';

/**
 * The current user, how far asking for them is, and what changes who that is.
 * @throws outside an AuthProvider
 */
export function useAuth() {
  const state = useContext(StateContext);
  if (!state) throw new Error(OUTSIDE);
  const { fetchUser, redirectToLogin, exchangeCodeForSessionToken, logout } = useAuthActions();
  return { ...state, fetchUser, redirectToLogin, exchangeCodeForSessionToken, logout };
}

/**
 * The current user alone: whoever needs no more is not drawn again for the question's being asked.
 * @throws outside an AuthProvider
 */
export function useUser(): CurrentUser | null {
  const user = useContext(UserContext);
  if (user === undefined) throw new Error(OUTSIDE);
  return user;
}

/**
 * What changes who is signed in.
 * @throws outside an AuthProvider
 */
export function useAuthActions(): AuthActions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error(OUTSIDE);
  return actions;
}
