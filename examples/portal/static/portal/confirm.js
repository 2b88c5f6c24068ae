// Confirms receipt without leaving the page. Without a script the form does the same.
"use strict";

const form = document.getElementById("confirm");

async function confirmReceipt(event) {
  event.preventDefault();
  const button = form.querySelector("button");
  const failed = form.querySelector(".error");
  button.disabled = true;
  failed.hidden = true;
  try {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.error);
    const place = document.getElementById("answer");
    place.innerHTML = told.html;
    place.focus();
  } catch (error) {
    failed.textContent = (error instanceof SyntaxError || error instanceof TypeError ? "" : error.message) || form.dataset.failed;
    failed.hidden = false;
    button.disabled = false;
  }
}

if (form) form.addEventListener("submit", confirmReceipt);
