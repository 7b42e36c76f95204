import { Suspense, useEffect, useState } from 'react';
import { RECENT_SIGN_IN_REQUIRED } from '#shared/endpoint.ts';
import { onRefusal } from '../http/api.ts';
import { lazyComponent } from '../lazy/lazy-component.ts';

const SignInAgainDialog = lazyComponent(() => import('./sign-in-again-dialog.tsx'));

/** Offers to sign in again where the server refuses something because the last sign-in was too long ago. */
export function SignInAgainOffer() {
  const [isWanted, setWanted] = useState(false);
  useEffect(() => onRefusal(({ code }) => code === RECENT_SIGN_IN_REQUIRED && setWanted(true)), []);
  return <Suspense>{isWanted && <SignInAgainDialog onClose={() => setWanted(false)} />}</Suspense>;
}
