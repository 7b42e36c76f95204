import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorBanner } from './error-banner.tsx';

/** Says that something could not be had, and asks for it again when told to. @param asked of TanStack's result what it looks at */
export function RetryBanner({
  title,
  asked,
  children,
}: {
  title: string;
  asked: { isFetching: boolean; refetch: () => Promise<unknown> };
  children: ReactNode;
}) {
  return (
    <ErrorBanner
      title={title}
      action={
        <Button
          look="secondary"
          pending={asked.isFetching && 'Asking…'}
          onClick={() => void asked.refetch()}
        >
          Retry
        </Button>
      }
    >
      {children}
    </ErrorBanner>
  );
}
