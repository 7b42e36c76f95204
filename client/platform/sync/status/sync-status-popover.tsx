import { Popover } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';

/** The explanation that opens next to the chip. */
export default function SyncStatusPopover(props: {
  chip: RefObject<HTMLButtonElement>;
  onClose: () => void;
  children: ReactNode;
}) {
  const { chip, onClose, children } = props;
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={chip} />
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={12}
          aria-label="About saving"
          // The chip closes it itself.
          onInteractOutside={(event) => {
            if (chip.current.contains(event.target as Node)) event.preventDefault();
          }}
          onCloseAutoFocus={() => {
            const isLost = document.activeElement === document.body;
            if (isLost) chip.current.focus({ preventScroll: true });
          }}
          className="z-40 max-w-xs rounded-card border border-line bg-surface p-4 text-ink shadow-lift"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
