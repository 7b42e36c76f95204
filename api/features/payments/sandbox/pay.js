// Simulates https://pay.google.com/gp/p/js/pay.js: the same PaymentsClient, with a sheet to choose the result of the
// payment. Served only where the sandbox is on. No money moves.
(() => {
  const CHOICES = [
    { card: 'pays', words: 'Pay {price}', main: true },
    { card: 'declined', words: 'Pay with a declined card' },
    { card: 'times-out', words: 'Pay, but the bank never answers' },
    { card: 'answer-lost', words: 'Pay, but the response is lost' },
  ];

  const STYLE = `
    dialog { box-sizing: border-box; width: min(100%, 26rem); max-width: none; margin: auto auto 0; border: 0;
      border-radius: 20px 20px 0 0; padding: 20px 20px max(20px, env(safe-area-inset-bottom)); color: #1f1f1f;
      background: #fff; font: 16px/1.45 system-ui, sans-serif; }
    @media (min-width: 640px) { dialog { margin: auto; border-radius: 20px; } }
    dialog::backdrop { background: rgb(0 0 0 / 0.5); }
    h2 { margin: 0; font-size: 1.25rem; }
    p { margin: 4px 0 16px; color: #444746; }
    dl { display: flex; justify-content: space-between; gap: 16px; margin: 0 0 16px; padding: 12px 16px;
      border-radius: 12px; background: #f0f4f9; }
    dt { min-width: 0; overflow-wrap: anywhere; }
    dd { margin: 0; font-weight: 700; }
    button { display: block; box-sizing: border-box; width: 100%; min-height: 48px; margin-top: 8px; padding: 8px 16px;
      border: 1px solid #747775; border-radius: 24px; background: none; color: inherit; font: inherit; cursor: pointer; }
    button.main { border-color: #0b57d0; background: #0b57d0; color: #fff; font-weight: 600; }
    button:focus-visible { outline: 3px solid #0b57d0; outline-offset: 2px; }
    [role=alert]:empty { display: none; }
    @media (prefers-color-scheme: dark) {
      dialog { background: #1e1f20; color: #e3e3e3; }
      p { color: #c4c7c5; }
      dl { background: #282a2c; }
      button { border-color: #8e918f; }
      button.main { border-color: #a8c7fa; background: #a8c7fa; color: #062e6f; }
      button:focus-visible { outline-color: #a8c7fa; }
    }`;

  const failure = (statusCode, statusMessage) =>
    Object.assign(new Error(statusMessage), { statusCode, statusMessage });

  /** Rejects invalid requests, as the real wallet does. */
  function wrongWith(request) {
    const [method] = request?.allowedPaymentMethods ?? [];
    const info = request?.transactionInfo;
    if (request?.apiVersion !== 2 || request.apiVersionMinor !== 0) return 'apiVersion must be 2.0';
    if (method?.type !== 'CARD') return 'allowedPaymentMethods must have CARD';
    if (method.tokenizationSpecification?.type !== 'PAYMENT_GATEWAY')
      return 'tokenizationSpecification must be PAYMENT_GATEWAY';
    if (!method.tokenizationSpecification.parameters?.gateway)
      return 'parameters must name a gateway';
    if (info?.totalPriceStatus !== 'FINAL') return 'totalPriceStatus must be FINAL';
    if (typeof info.totalPrice !== 'string' || !/^\d+\.\d\d$/.test(info.totalPrice))
      return 'totalPrice must be a string such as 1.00';
    if (!info.currencyCode) return 'currencyCode is required';
    return null;
  }

  async function issue(card) {
    const response = await fetch('/api/sandbox/google-pay/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ card }),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return (await response.json()).token;
  }

  const element = (name, props, ...children) => {
    const made = Object.assign(document.createElement(name), props);
    made.append(...children);
    return made;
  };

  /** Opens the sheet; resolves with the token of the chosen card. */
  function openSheet(request) {
    const { totalPrice, currencyCode } = request.transactionInfo;
    const price = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: currencyCode,
    }).format(totalPrice);
    return new Promise((resolve, reject) => {
      const host = element('div', {});
      const root = host.attachShadow({ mode: 'open' });
      const said = element('p', { role: 'alert' });
      const title = element('h2', { id: 'title', textContent: 'Simulated Google Pay' });
      const dialog = element('dialog', {});
      const settle = (then) => {
        host.remove();
        then();
      };
      const cancel = () =>
        settle(() => reject(failure('CANCELED', 'User closed the Payment Request UI.')));
      const button = (words, main, run) => {
        const made = element('button', {
          type: 'button',
          textContent: words,
          className: main ? 'main' : '',
        });
        made.addEventListener('click', run);
        return made;
      };
      const choose = async (card) => {
        try {
          const token = await issue(card);
          settle(() => resolve(token));
        } catch {
          said.textContent = 'You’re offline. Try again or cancel.';
        }
      };
      dialog.setAttribute('aria-labelledby', 'title');
      dialog.addEventListener('cancel', cancel);
      dialog.append(
        title,
        element('p', {
          textContent: 'This is a simulated wallet, so no money moves. Choose what happens.',
        }),
        element(
          'dl',
          {},
          element('dt', { textContent: request.merchantInfo?.merchantName ?? 'Total' }),
          element('dd', { textContent: price }),
        ),
        said,
        ...CHOICES.map(({ card, words, main }) =>
          button(words.replace('{price}', price), main, () => void choose(card)),
        ),
        button('Wallet error', false, () =>
          settle(() => reject(failure('BUYER_ACCOUNT_ERROR', 'This account can’t pay.'))),
        ),
        button('Cancel', false, cancel),
      );
      root.append(element('style', { textContent: STYLE }), dialog);
      document.body.append(host);
      dialog.showModal();
    });
  }

  class PaymentsClient {
    constructor(options) {
      if (options?.environment !== 'TEST') throw new Error('The sandbox wallet is for TEST only');
    }

    isReadyToPay(request) {
      const known = request?.allowedPaymentMethods?.some(({ type }) => type === 'CARD');
      return Promise.resolve({ result: Boolean(known) });
    }

    createButton({
      onClick,
      buttonColor = 'black',
      buttonType = 'pay',
      buttonSizeMode = 'static',
    }) {
      const words = buttonType === 'donate' ? 'Donate with' : 'Pay with';
      const made = element(
        'button',
        { type: 'button' },
        element('span', { textContent: words }),
        element('b', { textContent: 'G Pay' }),
      );
      made.setAttribute('aria-label', `${words} Google Pay`);
      const light = buttonColor === 'white';
      made.style.cssText = `display: flex; align-items: center; justify-content: center; gap: 8px; min-height: 48px;
        width: ${buttonSizeMode === 'fill' ? '100%' : '240px'}; border-radius: 12px; border: 1px solid #747775;
        background: ${light ? '#fff' : '#000'}; color: ${light ? '#1f1f1f' : '#fff'}; font-size: 1.0625rem;
        cursor: pointer;`;
      made.addEventListener('click', onClick);
      return element('div', {}, made);
    }

    async loadPaymentData(request) {
      const wrong = wrongWith(request);
      if (wrong) throw failure('DEVELOPER_ERROR', wrong);
      const token = await openSheet(request);
      return {
        apiVersion: 2,
        apiVersionMinor: 0,
        paymentMethodData: {
          type: 'CARD',
          description: 'Visa •••• 1111',
          info: { cardNetwork: 'VISA', cardDetails: '1111' },
          tokenizationData: { type: 'PAYMENT_GATEWAY', token },
        },
      };
    }
  }

  window.google = { ...window.google, payments: { api: { PaymentsClient } } };
})();
