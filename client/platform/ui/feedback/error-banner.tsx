import { CircleAlert, CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../buttons/button.tsx';

const LOOKS = {
  error: { frame: 'border-poor bg-poor-soft', icon: 'text-poor', Icon: CircleAlert },
  // A phone without a network is no error, and looks like a walk that is paused.
  offline: { frame: 'border-ink bg-surface', icon: 'text-ink', Icon: CloudOff },
};

/** An error message or, with the look `offline`, a missing network; with a retry button or another `action`. */
export function ErrorBanner({
  look = 'error',
  title,
  children,
  onRetry,
  action = onRetry && (
    <Button look="secondary" onClick={onRetry}>
      Try again
    </Button>
  ),
}: {
  look?: keyof typeof LOOKS;
  title?: string;
  children: ReactNode;
  onRetry?: () => void;
  action?: ReactNode;
}) {
  const { frame, icon, Icon } = LOOKS[look];
  return (
    <div role="alert" className={`flex gap-3 rounded-control border-2 p-4 text-left ${frame}`}>
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${icon}`} />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
        {title && <p className="font-bold">{title}</p>}
        <p>{children}</p>
        {action}
      </div>
    </div>
  );
}
