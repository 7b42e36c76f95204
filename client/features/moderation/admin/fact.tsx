import type { ReactNode } from 'react';
import { EmailText } from '../../../platform/ui/layout/email-text.tsx';

/** A name and its value in a `dl` of two columns. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words whitespace-pre-wrap">
        {typeof children === 'string' ? <EmailText>{children}</EmailText> : children}
      </dd>
    </>
  );
}
