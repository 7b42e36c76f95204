import { EllipsisVertical, type LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { IconButton } from './icon-button.tsx';

interface Action {
  name: string;
  Icon: LucideIcon;
  onSelect: () => void;
}

/** A button with three dots that opens a menu of actions. @param label of the button */
export function ActionsMenu({ label, actions }: { label: string; actions: readonly Action[] }) {
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger ref={trigger} asChild>
        <IconButton Icon={EllipsisVertical} label={label} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        collisionPadding={12}
        className="z-40 max-w-[calc(100vw-24px)] rounded-card border border-line bg-surface p-1.5 text-ink shadow-lift"
      >
        {actions.map(({ name, Icon, onSelect }) => (
          <DropdownMenu.Item
            key={name}
            onSelect={() => {
              // The item is removed with the menu, and the dialog must return the focus to an element that exists.
              trigger.current?.focus();
              onSelect();
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
