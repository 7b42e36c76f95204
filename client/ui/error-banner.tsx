import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** An error message, with a retry button or another `action`. */
export function ErrorBanner({
  title,
  children,
  onRetry,
  action = onRetry && (
    <Button look="secondary" onClick={onRetry}>
      Try again
    </Button>
  ),
}: {
  title?: string;
  children: ReactNode;
  onRetry?: () => void;
  action?: ReactNode;
}) {
  return (
    <div
      role="alert"
      className="flex gap-3 rounded-control border-2 border-poor bg-poor-soft p-4 text-left"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-poor" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
        {title && <p className="font-bold">{title}</p>}
        <p>{children}</p>
        {action}
      </div>
    </div>
  );
}
