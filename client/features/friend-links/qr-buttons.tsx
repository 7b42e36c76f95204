import { QrCode, ScanLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';

const FriendQr = lazyComponent(
  () => import('./friend-qr.tsx'),
  () => <Skeleton label="Loading your QR code…" lines={5} />,
);
const Scanner = lazyComponent(
  () => import('./scanner.tsx'),
  () => <Skeleton label="Opening the camera…" lines={5} />,
);

/** Whether this browser can use a camera. Pages without https can't. */
const hasCamera = 'mediaDevices' in navigator;

/** Both buttons are in one row on a phone. */
const BUTTON = 'max-sm:flex-1 max-sm:px-2! max-sm:whitespace-nowrap';
const ICON = 'size-5 shrink-0 max-sm:hidden';

/**
 * Shows the user's QR code (`?open=qr`), or scans that of another member (`?open=scan`).
 * @param children other ways to add a friend
 */
export function QrButtons({ children }: { children?: ReactNode }) {
  const { opened, open, close } = useDialogParam();
  return (
    <div className="flex flex-wrap gap-2 sm:gap-3">
      <Button
        look="secondary"
        onClick={() => open('qr')}
        icon={<QrCode aria-hidden className={ICON} />}
        className={BUTTON}
      >
        My QR code
      </Button>
      {hasCamera && (
        <Button
          look="secondary"
          onClick={() => open('scan')}
          icon={<ScanLine aria-hidden className={ICON} />}
          className={BUTTON}
        >
          Scan a QR code
        </Button>
      )}
      {children}
      <Modal open={opened === 'qr'} onClose={() => void close()} title="My QR code">
        <FriendQr />
      </Modal>
      <Modal
        open={opened === 'scan' && hasCamera}
        onClose={() => void close()}
        title="Scan a QR code"
      >
        <Scanner />
      </Modal>
    </div>
  );
}
