import { Ban, EllipsisVertical, ShieldCheck, UserRoundMinus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';

const ITEMS = [
  { open: 'guidelines', name: 'Safety Guidelines', Icon: ShieldCheck },
  { open: 'remove', name: 'Remove Friend', Icon: UserRoundMinus },
  { open: 'block', name: 'Block User', Icon: Ban },
] as const;

/** What can be opened from the menu of a chat. */
export type ChatDialog = (typeof ITEMS)[number]['open'];

/** What else can be done in a chat. */
export function ChatMenu({ onOpen }: { onOpen: (dialog: ChatDialog) => void }) {
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger ref={trigger} asChild>
        <IconButton Icon={EllipsisVertical} label="Menu" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        collisionPadding={12}
        className="z-40 max-w-[calc(100vw-24px)] rounded-card border border-line bg-surface p-1.5 text-ink shadow-lift"
      >
        {ITEMS.map(({ open, name, Icon }) => (
          <DropdownMenu.Item
            key={open}
            onSelect={() => {
              // The item goes with the menu, and a dialog gives the focus back to what had it.
              trigger.current?.focus();
              onOpen(open);
            }}
            className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control px-3 font-bold data-[highlighted]:bg-sunken data-[highlighted]:outline-none"
          >
            <Icon aria-hidden className="size-5 shrink-0" />
            {name}
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
