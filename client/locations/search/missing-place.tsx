import { getLocation } from '#shared/locations/contract.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBanner } from '../../ui/error-banner.tsx';
import type { MissingPlace as Missing } from './use-shown-places.ts';

/** Explains why the place in the address isn't shown. */
export function MissingPlace({
  missing: { why, retry },
  onClose,
}: {
  missing: Missing;
  onClose: () => void;
}) {
  if (why === 'removed')
    return (
      <ErrorBanner
        title="Place not found"
        action={
          <Button look="secondary" onClick={onClose}>
            Close
          </Button>
        }
      >
        It was removed, it’s private, or the link is wrong.
      </ErrorBanner>
    );
  if (why === 'offline')
    return (
      <ErrorBanner title="This place isn’t on this device">
        It will load once you’re online.
      </ErrorBanner>
    );
  return (
    <ErrorBanner
      title={getLocation.failure}
      action={
        <Button look="secondary" onClick={retry}>
          Try again
        </Button>
      }
    >
      We couldn’t reach our server.
    </ErrorBanner>
  );
}
