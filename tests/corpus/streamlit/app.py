# Streamlit 1.67 by its documentation, "User authentication": what `hallpass client add --app` prints
# are its secrets.
import json

import streamlit as st

if not st.user.is_logged_in:
    st.button("Log in", key="log-in", on_click=st.login)
else:
    st.text(json.dumps(st.user.to_dict()))
    st.button("Log out", key="log-out", on_click=st.logout)
