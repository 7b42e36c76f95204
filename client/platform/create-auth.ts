import { call, onRefusal } from './http/api.ts';
import { dropEarly } from './http/early-answers.ts';
import { hasSignedInCookie, hasUnsentChanges } from './session/account-traces.ts';
import { Auth } from './session/auth.ts';
import {
  isLogoutPending,
  markEndedSessionPending,
  markLogoutPending,
  onAskForUser,
  onRememberedUserChange,
  pendingEndedSessions,
  pendingRemovals,
  rememberedUser,
  rememberUser,
  settleEndedSession,
} from './session/remembered-user.ts';

const documents = () => import('./sync/documents/current-user-documents.ts');

const isRemovalPending = () =>
  hasUnsentChanges() || pendingRemovals().length + pendingEndedSessions().length > 0;

async function retryRemovals(): Promise<void> {
  try {
    await (await documents()).retryPendingRemovals();
  } catch (error) {
    console.error('Failed to remove local data', error);
  }
}

export interface CurrentSession {
  auth: Auth;
  /** Follows sign-ins and sign-outs elsewhere, and refusals of the server. @returns how to stop */
  follow: () => () => void;
}

/** Creates what knows who is signed in in this browser, and asks the server at once. */
export function createAuth(): CurrentSession {
  const auth = new Auth({
    call,
    remembered: rememberedUser(),
    remember: (user) => {
      rememberUser(user);
      // A user who is signed in again keeps their data.
      if (user) settleEndedSession(user.id);
    },
    untilRemoved: async (userId) => {
      if (!pendingEndedSessions().some(({ user }) => user.id === userId)) return;
      await (await documents()).untilRemoved(userId);
    },
    // The remembered user doesn't suffice: Safari removes what scripts have stored after a week, and keeps cookies of the server.
    mayBeSignedIn: () => hasSignedInCookie() || rememberedUser() !== null,
    isLogoutPending,
    markLogoutPending,
    navigate: (url) => location.assign(url),
    removeEndedSession: async ({ id, documents: own, former_documents }) => {
      const session = { user: { id, documents: own, former_documents }, at: Date.now() };
      // Recorded first, so that the next start can finish an interrupted removal.
      markEndedSessionPending(session);
      await (await documents()).removeEndedSession(session);
    },
    forgetLocalData: async (userId) => (await documents()).forgetLocalData(userId),
  });
  // Requested before the first render to save time.
  void auth.fetchUser();
  if (isRemovalPending()) void retryRemovals();
  return { auth, follow: () => followSession(auth) };
}

function followSession(auth: Auth): () => void {
  const fetchUser = () => void auth.fetchUser();
  let userId = auth.getState().user?.id;
  // Cached answers of one user must not be shown to the next, in any tab.
  const clearAnswers = () => {
    const before = userId;
    userId = auth.getState().user?.id;
    if (before === undefined || before === userId) return;
    dropEarly();
    void import('./http/query-client.ts').then(({ queries }) => queries.clear());
    void import('./session/sign-in-again.ts').then(({ forgetPlace }) => forgetPlace());
  };
  window.addEventListener('online', fetchUser);
  const stopFollowing = [
    auth.subscribe(clearAnswers),
    onRememberedUserChange(auth.become),
    onAskForUser(fetchUser),
    onRefusal((refusal) => {
      if (refusal.status === 401 && auth.getState().user) fetchUser();
    }),
    () => window.removeEventListener('online', fetchUser),
  ];
  return () => stopFollowing.forEach((stop) => stop());
}
