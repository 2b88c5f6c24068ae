// Keeps the page for when there is no connection: all files of one release, which are kept together or not at all. What
// is asked of the service is never kept.

const KEPT = "driver-{release}";
const FILES = ["./", "app.js", "dom.js", "kept.js", "login.js", "photos.js", "queue.js", "words.js", "app.css",
  "icon.svg", "app.webmanifest"];

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(KEPT);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
  await clients.claim();
})()));

addEventListener("message", (event) => {
  if (event.data === "begin") skipWaiting();
});

// As it was kept; the browser asks for this file whenever the page is opened, and a new release is kept beside it.
addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  const here = new URL("./", location);
  const file = address.pathname.slice(here.pathname.length) || "./";
  const kept = address.origin === here.origin && address.pathname.startsWith(here.pathname) && FILES.includes(file);
  if (event.request.method !== "GET" || !kept) return;
  event.respondWith((async () => {
    const cache = await caches.open(KEPT);
    return (await cache.match(file)) || fetch(event.request);
  })());
});
