// What the pages of the tour's site do. Every act is told to the server, whose record the tour checks.

/** @param {string} path @param {Record<string, string>} fields */
const tell = (path, fields) => fetch(path, { method: "POST", body: new URLSearchParams(fields) });

/** @type {Record<string, () => void>} */
const pages = {
  form() {
    const form = /** @type {HTMLFormElement} */ (document.querySelector("form"));
    form.addEventListener("submit", () => {
      const editor = /** @type {HTMLElement} */ (document.querySelector("[contenteditable]"));
      /** @type {HTMLInputElement} */ (form.elements.namedItem("note")).value = editor.innerText;
    });
  },

  shop() {
    const words = (new URLSearchParams(location.search).get("q") ?? "").trim().toLowerCase();
    const box = /** @type {HTMLInputElement} */ (document.querySelector("input[type=search]"));
    box.value = words;
    for (const good of document.querySelectorAll(".good")) {
      /** @type {HTMLElement} */ (good).hidden = !(good.textContent ?? "").toLowerCase().includes(words);
    }
    let count = 0;
    document.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button[data-good]");
      if (!(button instanceof HTMLElement)) return;
      const good = button.dataset.good ?? "";
      count += 1;
      /** @type {HTMLElement} */ (document.querySelector(".basket b")).textContent = String(count);
      // Inserted above everything else, so that what was read before has moved and grown.
      const notice = document.createElement("p");
      notice.className = "notice";
      notice.setAttribute("role", "status");
      notice.textContent = `${good} is in your basket.`;
      document.querySelector("main")?.prepend(notice);
      tell("/basket", { good });
    });
  },

  orders() {
    document.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest("tr[data-order]");
      if (!(row instanceof HTMLElement) || !(/** @type {HTMLElement} */ (event.target).closest("button"))) return;
      tell("/orders/delete", { order: row.dataset.order ?? "" });
      row.remove();
    });
  },

  inside() {
    const button = /** @type {HTMLElement} */ (document.querySelector("button"));
    button.addEventListener("click", () => {
      button.textContent = "Confirmed";
      tell("/deliveries/confirm", { place: document.body.dataset.place ?? "" });
    });
  },

  shadow() {
    for (const mode of /** @type {const} */ (["open", "closed"])) {
      const host = /** @type {HTMLElement} */ (document.querySelector(`#${mode}`));
      const root = host.attachShadow({ mode });
      const sheet = document.createElement("link");
      sheet.rel = "stylesheet";
      sheet.href = "/site.css";
      const heading = document.createElement("h2");
      heading.textContent = mode === "open" ? "An open drawer" : "A closed drawer";
      const button = document.createElement("button");
      button.textContent = `Take the ${mode === "open" ? "brass" : "silver"} key`;
      button.addEventListener("click", () => {
        button.textContent = "Taken";
        tell("/keys", { root: mode });
      });
      root.append(sheet, heading, button);
    }
  },

  dialogs() {
    /** @type {Record<string, () => string>} */
    const ask = {
      alert: () => {
        alert("The ferry leaves at six.");
        return "seen";
      },
      confirm: () => String(confirm("Cancel the booking for two?")),
      prompt: () => String(prompt("What shall we call the boat?", "Nameless")),
    };
    for (const button of document.querySelectorAll("button")) {
      const kind = button.dataset.dialog ?? "";
      button.addEventListener("click", () => {
        const answer = ask[kind]?.() ?? "";
        const line = document.querySelector(`#${kind}`);
        if (line) line.textContent = `Answered: ${answer}`;
        tell("/dialogs", { kind, answer });
      });
    }
  },

  chart() {
    const chart = /** @type {Element} */ (document.querySelector(".chart"));
    chart.addEventListener("click", (event) => {
      const { clientX, clientY, target } = /** @type {MouseEvent} */ (event);
      const mark = /** @type {Element} */ (target).closest("[data-mark]")?.getAttribute("data-mark") ?? "";
      tell("/chart", { x: String(clientX), y: String(clientY), mark });
    });
  },

  forged() {
    for (const button of document.querySelectorAll("button")) {
      button.addEventListener("click", () => tell("/forged", { button: button.id }));
    }
  },
};

pages[document.body.dataset.page ?? ""]?.();
