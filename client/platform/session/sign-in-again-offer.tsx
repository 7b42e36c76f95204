import { useEffect, useState } from 'react';
import { RECENT_SIGN_IN_REQUIRED } from '#shared/endpoint.ts';
import { onRefusal } from '../http/api.ts';
import { lazyComponent } from '../lazy/lazy-component.tsx';

const SignInAgainDialog = lazyComponent(() => import('./sign-in-again-dialog.tsx'));

/** Offers to sign in again when the server requires a recent sign-in. */
export function SignInAgainOffer() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => onRefusal(({ code }) => code === RECENT_SIGN_IN_REQUIRED && setOpen(true)), []);
  return isOpen && <SignInAgainDialog onClose={() => setOpen(false)} />;
}
